"""What tests of MPI jobs share."""
import pathlib
import shutil
import sys

SKIPPED = 77  # the exit status that ctest is told of


def emptied_folder(path):
    """A folder with nothing in it; ends the test where there is no mpirun."""
    folder = pathlib.Path(path)
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(SKIPPED)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder

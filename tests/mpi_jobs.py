"""What tests of MPI jobs share: where they run, who belongs to one, and events to wait for. Nothing here looks at a clock:
what does not happen is ended by ctest's time limit."""
import os
import pathlib
import select
import shutil
import signal
import sys

SKIPPED = 77  # the exit status that ctest is told of
# Programs started in the background of a script ignore it, and so would takt.
signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def emptied_folder(path):
    """A folder with nothing in it; ends the test where there is no mpirun."""
    folder = pathlib.Path(path).resolve()
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(SKIPPED)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def children_of(process):
    """Of all its threads; empty if it is gone."""
    found = []
    for path in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += [int(child) for child in path.read_text().split()]
        except OSError:
            pass
    return found


def descendants_of(process):
    """Each parent before its children."""
    return [each for child in children_of(process) for each in (child, *descendants_of(child))]


def name_of(process):
    """Of its program, at most 15 letters; empty if it is gone."""
    try:
        return pathlib.Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


def parent_of(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.split("PPid:")[1].split()[0])


def launchers_of(run):
    return [child for child in children_of(run) if name_of(child) == "mpirun"]


def ranks_of(run):
    """The ranks of a `takt run` by their number, 0 the coordinator. All are there once a stage computes."""
    found = {}
    for process in descendants_of(run):
        try:
            variables = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        values = dict(variable.split(b"=", 1) for variable in variables if b"=" in variable)
        if name_of(process) == "takt-live" and b"OMPI_COMM_WORLD_RANK" in values:
            found.setdefault(int(values[b"OMPI_COMM_WORLD_RANK"]), process)  # ranks fork while MPI starts
    return found


def open_files_of(process):
    """What its descriptors lead to, but for those that it closes meanwhile."""
    found = set()
    for path in pathlib.Path(f"/proc/{process}/fd").iterdir():
        try:
            found.add(os.readlink(path))
        except FileNotFoundError:
            pass
    return found


def wait_for_end(process):
    """Of any process, not only of a child."""
    Ends([process]).wait()


def marked_processes(mark):
    """Those of all users whose environment has NAME=VALUE, but for this one and those that have ended."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            is_marked = mark.encode() in (folder / "environ").read_bytes().split(b"\0")
            if is_marked and int(folder.name) != os.getpid() and b") Z " not in (folder / "stat").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass
    return found


class Ends:
    """Of processes that are there: `wait()` returns when all have ended, whoever has their numbers by then."""

    def __init__(self, processes):
        self.handles = []
        for process in processes:
            try:
                self.handles.append(os.pidfd_open(process))
            except ProcessLookupError:
                pass

    def wait(self):
        for handle in self.handles:
            select.select([handle], [], [])
            os.close(handle)
        self.handles = []


class Gate:
    """Where programs of stages report and wait: a shell says `{gate.stop}` and stands there until `let_in()`."""

    def __init__(self, folder, name="gate"):
        self.arrivals = folder / f"{name}.arrivals"
        self.passes = folder / f"{name}.passes"
        for path in (self.arrivals, self.passes):
            os.mkfifo(path)
        # Both ends are open here, so nobody waits for a reader or loses what was written.
        self.incoming = open(os.open(self.arrivals, os.O_RDWR), encoding="utf-8")
        self.outgoing = os.open(self.passes, os.O_RDWR)
        self.process = None  # that arrived last
        self.stop = f'echo $$ > "{self.arrivals}"; read -r pass < "{self.passes}"'

    def arrival(self):
        """The process of the next shell that stands at the gate; waits for it."""
        self.process = int(self.incoming.readline())
        return self.process

    def let_in(self, count=1):
        """As many as stand there, or come later."""
        os.write(self.outgoing, b"pass\n" * count)

#!/usr/bin/env python3
"""takt-mpi: the bytes of a run that nobody disturbed, also where processes of jobs were killed.

Usage: mpi_test.py TAKT TAKT_MPI FOLDER   status 77 where there is no mpirun
"""
import json
import os
import signal
import subprocess
import sys

import mpi_jobs

# Where there is a gate, the heuristic stops at it in the second chunk, which has 8 problems under both models.
SERVER = """n=0; while read -r problem; do n=$((n+1)); [ $n = 13 ] && [ -n "$GATE" ] && {
echo $$ > "$GATE.arrivals"; read -r pass < "$GATE.passes"; }
echo '{"mapping": [{"stages": ["S0", "S1", "S2", "S3"], "processors": ["P0"]}]}'; done"""
DESCRIPTION = {
    "name": "shared",
    "seed": 3,
    "study": "heuristics",
    "generator": {"name": "skeleton-pair", "stages": 4},
    "grid": {"draws": 60, "processors": [6, 10]},
    "heuristics": ["bsl", "random", {"name": "own", "server": SERVER}],
    "chunk": 4,
}


def chunk_bytes(directory):
    return {path.name: path.read_bytes() for path in (directory / "chunks").iterdir() if path.suffix == ".jsonl"}


def chunks_noted(directory):
    return (directory / "times.jsonl").read_bytes().count(b"\n")


def main():
    takt, takt_mpi = sys.argv[1:3]
    folder = mpi_jobs.emptied_folder(sys.argv[3])
    description = folder / "shared.json"
    description.write_text(json.dumps(DESCRIPTION))
    alone, shared = folder / "alone", folder / "shared"
    subprocess.run([takt, "experiment", "run", description, "-o", alone], check=True, stdout=subprocess.DEVNULL)
    mpirun = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [*mpirun, takt_mpi, "run", str(description), "-o", str(shared)]
    noted = 0
    for number in range(2):
        gate = mpi_jobs.Gate(folder, f"gate{number}")
        job = subprocess.Popen(command, env=environment | {"GATE": str(folder / f"gate{number}")},
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Whose server stands at the gate has noted a chunk, and is in the midst of another.
        rank = mpi_jobs.parent_of(gate.arrival())
        assert mpi_jobs.name_of(rank) == "takt-mpi", mpi_jobs.name_of(rank)
        os.kill(rank, signal.SIGKILL)
        assert job.wait() != 0, "a job ends well whose process was killed"
        gate.let_in(3)
        assert noted < chunks_noted(shared) < chunks_noted(alone), (noted, chunks_noted(shared))
        noted = chunks_noted(shared)
    ended = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended
    assert chunk_bytes(alone) == chunk_bytes(shared), "takt-mpi: other bytes than those of takt"
    assert not any((shared / "fresh").iterdir()) and not any((shared / "attempts").iterdir()), "files are left"
    # One process is no job.
    ended = subprocess.run([takt_mpi, "run", str(description), "-o", str(shared)], env=environment, check=False,
                           capture_output=True, text=True)
    assert "found one process" in ended.stderr, ended


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""takt-mpi: the bytes of a run that nobody disturbed, also where a process of the job was killed.

Usage: mpi_test.py TAKT TAKT_MPI FOLDER [KILLS]   status 77 where there is no mpirun
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

SKIPPED = 77
DESCRIPTION = {
    "name": "shared",
    "seed": 3,
    "study": "heuristics",
    "generator": "skeleton-pair",
    "grid": {"draws": 20, "processors": [6, 10], "stages": [8, 16]},
    "heuristics": ["bsl", "bsc", "spl", "random"],
    "chunk": 4,
}


def chunk_bytes(directory):
    return {path.name: path.read_bytes() for path in (directory / "chunks").iterdir() if path.suffix == ".jsonl"}


def chunks_noted(directory):
    times = directory / "times.jsonl"
    return times.read_bytes().count(b"\n") if times.exists() else 0


def ranks_of(job, program):
    """The processes of a job's program, by their command lines."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].decode(errors="replace") == program and str(job).encode() in words:
            found.append(int(entry.name))
    return sorted(found)


def main():
    takt, takt_mpi, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    kills = int(sys.argv[4]) if len(sys.argv) > 4 else 2
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(SKIPPED)
    # Enough chunks for as many kills to come between.
    DESCRIPTION["grid"]["draws"] = max(20, 20 * kills)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    description = folder / "shared.json"
    description.write_text(json.dumps(DESCRIPTION))
    alone, shared = folder / "alone", folder / "shared"
    subprocess.run([takt, "experiment", "run", description, "-o", alone], check=True, stdout=subprocess.DEVNULL)
    mpirun = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3"]
    if os.getuid() == 0:
        mpirun.append("--allow-run-as-root")
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [*mpirun, takt_mpi, "run", str(description), "-o", str(shared)]
    random.seed(1)
    killed = 0
    for _ in range(kills):
        job = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # A process that dies before all have met is mpirun's affair, which then waits for ever.
        begun = chunks_noted(shared)
        while job.poll() is None and chunks_noted(shared) == begun:
            time.sleep(0.01)
        ranks = ranks_of(shared, takt_mpi)
        time.sleep(random.random() * 0.1)
        if job.poll() is None and ranks:
            try:
                os.kill(random.choice(ranks), signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
        job.wait()
    ended = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(f"takt-mpi: status {ended.returncode}\n{ended.stdout}{ended.stderr}")
    if chunk_bytes(alone) != chunk_bytes(shared):
        sys.exit("takt-mpi: other bytes than those of takt")
    if any((shared / "fresh").iterdir()) or any((shared / "attempts").iterdir()):
        sys.exit("takt-mpi: files are left of processes that are gone")
    print(f"{chunks_noted(alone)} chunks alike, {killed} processes killed on the way")
    # One process is no job.
    ended = subprocess.run([takt_mpi, "run", str(description), "-o", str(shared)], env=environment, check=False,
                           capture_output=True, text=True)
    if "found one process" not in ended.stderr:
        sys.exit(f"takt-mpi alone: {ended.returncode}, {ended.stderr}")


main()

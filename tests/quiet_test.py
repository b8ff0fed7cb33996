#!/usr/bin/env python3
"""A run on one machine is quiet and closed: ranks with nothing to do hardly wake, do not come before real stages, and
listen to no network.

Usage: quiet_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import os
import pathlib
import subprocess
import sys
import time

import mpi_jobs

PATIENCE = 60
WATCHED = 3  # seconds
MOST_WAKES = 30 * WATCHED  # of a rank that waits; there were 1000 a second where it looked every millisecond
TIMES = {name: "1 s" for name in "pqr"}
INSTANCE = {
    "application": {"stages": [{"name": "a", "time": TIMES, "output": "1 kB"}, {"name": "b", "time": TIMES}]},
    "platform": {"processors": [{"name": name} for name in "pqr"], "bandwidth": "1 GB/s"},
    "mapping": [{"stages": ["a"], "processors": ["p"]}, {"stages": ["b"], "processors": ["q", "r"]}],
}


def children_of(process):
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        for child in task.read_text().split():
            found += [int(child), *children_of(int(child))]
    return found


def name_of(process):
    return pathlib.Path(f"/proc/{process}/comm").read_text().strip()


def wakes_of(process):
    """How often its first thread went to sleep by itself."""
    for line in pathlib.Path(f"/proc/{process}/task/{process}/status").read_text().splitlines():
        if line.startswith("voluntary_ctxt_switches"):
            return int(line.split()[1])
    raise AssertionError(process)


def listening_sockets():
    """The inodes of sockets that anybody on a network could reach: TCP in state LISTEN, not of loopback."""
    found = set()
    for table in ("tcp", "tcp6"):
        path = pathlib.Path(f"/proc/net/{table}")
        for line in path.read_text().splitlines()[1:] if path.exists() else []:
            words = line.split()
            if words[3] == "0A" and not words[1].startswith("0100007F"):
                found.add(words[9])
    return found


def open_sockets(process):
    links = [os.readlink(path) for path in pathlib.Path(f"/proc/{process}/fd").iterdir()]
    return {link[len("socket:["):-1] for link in links if link.startswith("socket:[")}


def ranks_at_work(job, folder):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and job.poll() is None:
        if (folder / "at-work").exists():
            return [number for number in children_of(job.pid) if name_of(number) == "takt-live"]
        time.sleep(0.02)
    sys.exit(f"the first stage did not begin: {job.communicate()[0]}")


def watch(takt, folder, *options):
    (folder / "at-work").unlink(missing_ok=True)
    (folder / "go").unlink(missing_ok=True)
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    words = [takt, "run", "instance.json", "--data-sets", "1", *options, "--each", "b=cat",
             "--each", "a=touch at-work; while ! test -e go; do sleep 0.2; done; cat"]
    job = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        ranks = ranks_at_work(job, folder)
        assert len(ranks) == 4, ranks
        time.sleep(1)
        before = {rank: wakes_of(rank) for rank in ranks}
        time.sleep(WATCHED)
        for rank in ranks:
            wakes = wakes_of(rank) - before[rank]
            assert wakes <= MOST_WAKES * (4 if "poll" in options else 1), (options, rank, wakes)
            assert os.sched_getscheduler(rank) & ~os.SCHED_RESET_ON_FORK == os.SCHED_OTHER, rank
            heard = open_sockets(rank) & listening_sockets()
            assert not heard, f"rank {rank} listens beyond loopback: {heard}"
    finally:
        (folder / "go").touch()
    said = job.communicate(timeout=PATIENCE)[0]
    assert job.returncode == 0, said
    assert "No real-time priority was permitted" not in said, said


def main():
    folder = mpi_jobs.emptied_folder(sys.argv[2])
    (folder / "instance.json").write_text(json.dumps(INSTANCE))
    watch(sys.argv[1], folder)
    watch(sys.argv[1], folder, "--wait", "poll")


if __name__ == "__main__":
    main()

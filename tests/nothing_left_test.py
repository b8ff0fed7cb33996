#!/usr/bin/env python3
"""Nothing survives a run: whoever of it is killed, its programs and all that they have started end within seconds.

Usage: nothing_left_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import mpi_jobs

PATIENCE = 60
KEEPERS = ["keeper 1", "keeper 2"]  # one stage waits for its program by then, and the other has nothing to do
LEFT_AFTER = 15.0  # seconds; some 1 s where the machine is idle, which nobody promises
INSTANCE = {
    "application": {"stages": [{"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 1}]},
    "platform": {"processors": [{"name": name, "speed": 1} for name in "pq"], "bandwidth": 10},
    "mapping": [{"stages": ["a"], "processors": ["p"]}, {"stages": ["b"], "processors": ["q"]}],
}
# A shell with children, one of them in a session of its own; it answers the first data sets, and then no more.
STUBBORN = ("trap '' TERM INT HUP; sleep 1000 | cat & setsid sleep 1000 & "
            "for k in 1 2 3; do read -r line; echo $line; done; sleep 1000 | cat")


def processes_of(mark):
    """Of all users' processes, those whose environment has the mark: id -> words."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            if mark in (folder / "environ").read_bytes() and b") Z " not in (folder / "stat").read_bytes():
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            pass
    return found


def wait_until(is_so, what):
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            sys.exit(f"no {what} after {PATIENCE} s")
        time.sleep(0.02)


def children_of(parent):
    return [status for status in pathlib.Path("/proc").glob("[0-9]*/stat")
            if text_of(status).rpartition(") ")[2].split(" ")[1:2] == [str(parent)]]


def text_of(path):
    try:
        return path.read_text()
    except OSError:
        return ""


def victim_of(who, job, left):
    if who == "takt":
        return job.pid
    names = {"mpirun": "mpirun", "rank": "takt-live", "keeper": "takt-keeper"}
    ids = sorted(n for n in left if text_of(pathlib.Path(f"/proc/{n}/comm")).strip() == names[who.split()[0]])
    if who in KEEPERS:
        # Of processors, not of the coordinator, which has no programs.
        return [number for number in ids if children_of(number)][KEEPERS.index(who)]
    return random.choice(ids)


def kill_one(takt, folder, who, number):
    """Seconds until nothing is left."""
    mark = f"TAKT_TEST_MARK={who}-{number}-{os.getpid()}"
    name, value = mark.split("=")
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", name: value}
    words = [takt, "run", "instance.json", "--records", "lines", "--data-sets", "50", "--window", "2"]
    for stage in "ab":
        words += ["--program", f"{stage}={STUBBORN}"]
    job = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Each program has answered what it answers, and started its last children.
    wait_until(lambda: sum(words.startswith("sleep 1000") for words in processes_of(mark.encode()).values()) == 6,
               "programs")
    victim = victim_of(who, job, processes_of(mark.encode()))
    begin = time.monotonic()
    os.kill(victim, number)
    job_end = begin + LEFT_AFTER
    while (left := processes_of(mark.encode())) and time.monotonic() < job_end:
        job.poll()
        time.sleep(0.02)
    if left:
        for survivor in left:
            os.kill(survivor, signal.SIGKILL)
        sys.exit(f"{who}, signal {number}: left after {LEFT_AFTER} s are {left}")
    job.wait(timeout=PATIENCE)
    return time.monotonic() - begin


def main():
    folder = mpi_jobs.emptied_folder(sys.argv[2])
    (folder / "instance.json").write_text(json.dumps(INSTANCE))
    random.seed(30)
    for who in ("takt", "mpirun", "rank", *KEEPERS):
        for number in (signal.SIGKILL, signal.SIGTERM):
            seconds = kill_one(sys.argv[1], folder, who, number)
            print(f"{who}, signal {number.value}: nothing left after {seconds:.1f} s")


if __name__ == "__main__":
    main()

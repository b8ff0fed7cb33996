#!/usr/bin/env python3
"""A run of two parts in one directory, killed at any moment: no chunk is lost that was done, and the bytes in the end
are those of a run that nobody disturbed.

Usage: experiment_random_kill_test.py TAKT FOLDER [KILLS] [SEED]
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from experiment_kill_test import begin_together, bytes_of, chunks_done, expect_alike, status_of

# Some 20 MB of rows: the first cell fills more than one file, and packing takes long enough to be hit.
DESCRIPTION = {
    "name": "killed",
    "seed": 11,
    "study": "evaluate",
    "generator": {"name": "replicated-mapping", "stages": 2},
    "cells": [
        {"name": "large", "draws": 90000, "processors": 3},
        {"name": "small", "draws": 3000, "processors": 4},
        {"name": "tiny", "draws": 10, "processors": 5},
    ],
    "chunk": 40,
}


def fail(text, seed):
    sys.exit(f"{text} (seed {seed})")


def main():
    takt, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    draw = random.Random(seed)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    description = folder / "killed.json"
    description.write_text(json.dumps(DESCRIPTION))
    alone, shared = folder / "alone", folder / "shared"
    began = time.monotonic()
    subprocess.run([takt, "experiment", "run", description, "-o", alone, "--jobs", "2"], check=True,
                   stdout=subprocess.DEVNULL)
    # So that all of a run's life is hit: its start, its chunks, and packing.
    longest = time.monotonic() - began
    total = len(chunks_done(alone))
    if total != status_of(takt, alone)["chunks_done"]:
        fail("the chunks of a run that nobody disturbed are not those that status counts", seed)
    parts = [[takt, "experiment", "run", str(description), "-o", str(shared), "--shard", f"{k}/2", "--jobs", "2"]
             for k in (1, 2)]

    def start(command):
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
                                text=True)

    def is_packing():
        return any(".part." in path.name for path in (shared / "chunks").glob("*"))

    done, killed, in_packing = set(), 0, 0
    while killed < kills:
        jobs = [start(command) for command in parts]
        if draw.random() < 0.4:
            time.sleep(draw.random() ** 2 * longest / 2)
        else:
            while any(job.poll() is None for job in jobs) and not is_packing():
                time.sleep(0.0005)
            time.sleep(draw.random() * 0.03)
        for job in draw.sample(jobs, draw.choice([1, 2, 2])):
            if job.poll() is None:
                is_hit = is_packing()
                os.killpg(job.pid, signal.SIGKILL)
                killed += 1
                in_packing += is_hit
        for job in jobs:
            error = job.communicate()[1]
            if job.returncode not in (0, 4, -signal.SIGKILL):
                fail(f"a part ended with {job.returncode}: {error}", seed)
        if not (shared / "manifest.json").exists():
            continue
        now = chunks_done(shared)
        if not now >= done:
            fail(f"{len(done - now)} chunks were done and are not after a kill, such as {min(done - now)}", seed)
        done = now
        if len(done) == total:
            # On with a part of what is there, as of a disk that was restored.
            for path in sorted((shared / "chunks").glob("*.jsonl")):
                if draw.random() < 0.7:
                    text = path.read_bytes()
                    path.write_bytes(text[:draw.randrange(len(text))])
            done = chunks_done(shared)
    for command in parts:
        if subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode != 0:
            fail("a part did not end well", seed)
    expect_alike(takt, shared, alone)
    begin_together(takt, folder, 6)
    print(f"{total} chunks in {len(bytes_of(shared))} files alike, {killed} parts killed on the way, "
          f"{in_packing} of them while files were packed")


main()

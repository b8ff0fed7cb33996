#!/usr/bin/env python3
"""A run of two parts in one directory, killed at any moment: no chunk is lost that was done, and the bytes in the end
are those of a run that nobody disturbed.

Usage: experiment_kill_test.py TAKT FOLDER [KILLS] [SEED]
"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib

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


LAST_LINE = re.compile(rb'^{"cell": (\d+), "first": (\d+), "draws": (\d+), "crc32": "([0-9a-f]{8})"}\n', re.MULTILINE)


def bytes_of(directory):
    return {path.name: path.read_bytes() for path in (directory / "chunks").iterdir()}


def chunks_done(directory):
    """The chunks that stand anywhere whole, by their own check sums."""
    done = set()
    for path in [*(directory / "chunks").glob("*.jsonl"), *(directory / "fresh").glob("*.jsonl")]:
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            continue
        begin = 0
        for last in LAST_LINE.finditer(text):
            if zlib.crc32(text[begin:last.start()]) == int(last[4], 16):
                done.add((int(last[1]), int(last[2]), int(last[3])))
            begin = last.end()
    return done


def status_of(takt, directory):
    ended = subprocess.run([takt, "experiment", "status", str(directory), "--json"], check=False, capture_output=True,
                           text=True)
    if ended.returncode not in (0, 4):
        sys.exit(f"status {ended.returncode}: {ended.stderr}")
    return json.loads(ended.stdout)


def fail(text, seed):
    sys.exit(f"{text} (seed {seed})")


def begin_together(takt, folder, draw, seed):
    """Several that start in a new directory at one moment, and choose its chunks by time: one of them decides for all."""
    description = folder / "timed.json"
    cells = [{"name": "a", "draws": 400, "processors": 3}, {"name": "b", "draws": 200, "processors": 9}]
    description.write_text(json.dumps({**DESCRIPTION, "cells": cells, "chunk": "3 ms"}))
    rows = set()
    for i in range(6):
        run = folder / f"together{i}"
        jobs = []
        for _ in range(5):
            jobs.append(subprocess.Popen([takt, "experiment", "run", str(description), "-o", str(run)],
                                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
            time.sleep(draw.random() * 0.02)
        for job in jobs:
            error = job.communicate()[1]
            if job.returncode != 0:
                fail(f"one of several that began together: status {job.returncode}: {error}", seed)
        status = status_of(takt, run)
        if status["chunks_done"] != status["chunks"] or len(bytes_of(run)) != 2:
            fail(f"several that began together: {status}, {sorted(bytes_of(run))}", seed)
        rows.add(subprocess.run([takt, "experiment", "rows", str(run), "--exact"], check=True,
                                capture_output=True).stdout)
    if len(rows) != 1:
        fail("several that began together have other rows than others", seed)


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
    if bytes_of(shared) != bytes_of(alone):
        fail("other bytes than those of a run that nobody disturbed", seed)
    for left in ("fresh", "attempts"):
        if any((shared / left).iterdir()):
            fail(f"files are left in {left}/", seed)
    report = [subprocess.run([takt, "experiment", "rows", str(run), "--exact"], check=True, capture_output=True).stdout
              for run in (alone, shared)]
    if report[0] != report[1]:
        fail("other rows", seed)
    begin_together(takt, folder, draw, seed)
    print(f"{total} chunks in {len(bytes_of(shared))} files alike, {killed} parts killed on the way, "
          f"{in_packing} of them while files were packed")


main()

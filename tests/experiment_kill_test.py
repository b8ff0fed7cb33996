#!/usr/bin/env python3
"""A run of two parts in one directory, stopped at bytes of what it writes: no chunk is lost that was done, and the
bytes in the end are those of a run that nobody disturbed. Several that begin together decide once.

Usage: experiment_kill_test.py TAKT FOLDER
"""
import json
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import zlib

INCOMPLETE = 4
DESCRIPTION = {
    "name": "killed",
    "seed": 11,
    "study": "evaluate",
    "generator": {"name": "replicated-mapping", "stages": 2},
    "cells": [{"name": "small", "draws": 400, "processors": 4}, {"name": "tiny", "draws": 10, "processors": 5}],
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
    ended = subprocess.run([takt, "experiment", "status", directory, "--json"], check=False, capture_output=True,
                           text=True)
    assert ended.returncode in (0, INCOMPLETE), ended
    return json.loads(ended.stdout)


def rows_of(takt, directory):
    return subprocess.run([takt, "experiment", "rows", directory, "--exact"], check=True, capture_output=True).stdout


def expect_alike(takt, shared, alone):
    assert bytes_of(shared) == bytes_of(alone), "other bytes than those of a run that nobody disturbed"
    for left in ("fresh", "attempts"):
        assert not any((shared / left).iterdir()), f"files are left in {left}/"
    assert rows_of(takt, shared) == rows_of(takt, alone), "other rows"


def begin_together(takt, folder, rounds):
    """Several that start in a new directory at one moment, and choose its chunks by time: one decides for all."""
    description = folder / "together.json"
    cells = [{"name": "a", "draws": 400, "processors": 3}, {"name": "b", "draws": 200, "processors": 9}]
    description.write_text(json.dumps({**DESCRIPTION, "cells": cells, "chunk": "3 ms"}))
    rows = set()
    for i in range(rounds):
        run = folder / f"together{i}"
        jobs = [subprocess.Popen([takt, "experiment", "run", description, "-o", run], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True) for _ in range(5)]
        for job in jobs:
            error = job.communicate()[1]
            assert job.returncode == 0, f"one of several that began together: status {job.returncode}: {error}"
        status = status_of(takt, run)
        assert status["chunks_done"] == status["chunks"] and len(bytes_of(run)) == 2, (status, sorted(bytes_of(run)))
        rows.add(rows_of(takt, run))
    assert len(rows) == 1, "several that began together have other rows than others"


def stop_at_bytes(command, shared, total):
    """No file may be longer than so many bytes, so a part ends in the midst of writing, by a signal or in error: its
    first file, a chunk, and as the limit grows the file that chunks are packed into. How often it ended, and so when
    all chunks were done."""
    done, stopped, stopped_packing = set(), 0, 0
    for limit in (1, 100, 1000, 3000, *range(7919, 10**6, 7919)):
        had_all = len(done) == total

        def limited():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        ended = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               preexec_fn=limited)
        if (shared / "manifest.json").exists():
            now = chunks_done(shared)
            assert now >= done, f"{sorted(done - now)} were done and are not after a stop at byte {limit}"
            done = now
        if ended.returncode in (0, INCOMPLETE):
            return stopped, stopped_packing
        assert ended.returncode == -signal.SIGXFSZ or "cannot be written: File too large" in ended.stderr, ended
        stopped += 1
        stopped_packing += had_all
    raise AssertionError("no part came to its end")


def main():
    takt, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    description = folder / "killed.json"
    description.write_text(json.dumps(DESCRIPTION))
    alone, shared = folder / "alone", folder / "shared"
    run = [takt, "experiment", "run", description, "--jobs", "1", "-o"]
    subprocess.run([*run, alone], check=True, stdout=subprocess.DEVNULL)
    total = len(chunks_done(alone))
    assert total == status_of(takt, alone)["chunks_done"] == 11, total
    first, second = (stop_at_bytes([*run, shared, "--shard", f"{k}/2"], shared, total) for k in (1, 2))
    assert first[0] > 5 and second[0] > 5 and second[1] > 2, (first, second)
    expect_alike(takt, shared, alone)
    begin_together(takt, folder, 2)


if __name__ == "__main__":
    main()

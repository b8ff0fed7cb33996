#!/usr/bin/env python3
"""takt run --status: a run that is slowed, adapted and killed, as somebody sees it who has the status alone.

Usage: run_status_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import html.parser
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import answer_schemas
import mpi_jobs
from run_streams_test import children_of

ADAPTIVE = pathlib.Path(__file__).resolve().parent.parent / "examples/adaptive.json"
PATIENCE = 120
SAMPLE = re.compile(r'^[a-z_]+(\{[a-z]+="(\\.|[^"\\])*"(,[a-z]+="(\\.|[^"\\])*")*\})? -?[0-9.e+-]+$')


class Text(html.parser.HTMLParser):
    """What a page says, without style and script; and whether its elements are closed."""

    def __init__(self, text):
        super().__init__()
        self.words = []
        self.open = []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, _):
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag, _):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if "style" not in self.open and "script" not in self.open:
            self.words.append(data)


class Watched:
    def __init__(self, takt, folder):
        self.takt = takt
        self.folder = folder
        self.written = set()

    def start(self, *options):
        words = [self.takt, "run", str(ADAPTIVE), "--model", "strict", "--status", "s.json", "--status", "s.html",
                 "--status", "s.prom", *options]
        return subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def status(self):
        """Each form, whole whenever it is read."""
        if not (self.folder / "s.prom").exists():
            return None
        found = json.loads((self.folder / "s.json").read_text())
        fault = answer_schemas.fault_of("run-status", found)
        assert not fault, fault
        page = Text((self.folder / "s.html").read_text())
        assert "What has happened" in page.words, page.words
        for line in (self.folder / "s.prom").read_text().splitlines():
            assert line.startswith("# ") or SAMPLE.match(line), line
        self.written.add(found["written"])
        return found

    def until(self, holds, what, job):
        deadline = time.time() + PATIENCE
        while time.time() < deadline:
            found = self.status()
            if found and holds(found):
                return found
            assert job.poll() is None, (what, job.communicate(), found)
            time.sleep(0.1)
        raise AssertionError(what)


def has_event(found, words):
    return any(words in event["words"] for event in found["events"])


def test_story(runs):
    """A load, another mapping, a rank that is killed: each is told by the time it shows."""
    job = runs.start("--data-sets", "700", "--adapt", "calibrate", "--load", "p4:5:2s", "--journal", "results", "--retries",
                     "2")
    runs.until(lambda found: found["phase"] == "running" and found["delivered"] > 0, "a run that delivers", job)
    found = runs.until(lambda found: found["mappings"] > 1 and found["from_data_set"] > 0, "another mapping", job)
    assert has_event(found, "the run begins, data set 0 is next"), found
    assert has_event(found, "a load comes to p4, which from now on takes 6 times as long"), found
    assert has_event(found, "another mapping from data set"), found
    states = {state["name"]: state for state in found["processor_states"]}
    assert states["p4"]["believed_slowdown"] > 2, states["p4"]
    assert all(0.99 < sum(state[key] for key in ("computing", "transferring", "blocked", "starved")) < 1.01
               for state in states.values() if state["computing"] is not None), states
    assert found["under_way"] <= found["window"] and found["data_sets"] == 700, found
    os.kill(children_of(children_of(job.pid)[0])[2], signal.SIGKILL)
    found = runs.until(lambda found: found["restarts"] and found["phase"] == "running", "another job", job)
    assert found["restarts"][0]["processor"] == "p1" and has_event(found, "p1 died; results holds"), found
    assert next(state for state in found["processor_states"] if state["name"] == "p1")["left_out"], found
    before = found["delivered"]
    assert before >= found["restarts"][0]["data_sets"], found
    _, err = job.communicate(timeout=PATIENCE)
    assert job.returncode == 0, err
    found = runs.status()
    assert (found["phase"], found["delivered"]) == ("ended", 700), found
    assert has_event(found, "the run has come to its end"), found
    assert "location.reload" not in (runs.folder / "s.html").read_text()
    assert sorted(path.name for path in runs.folder.iterdir()) == ["results", "s.html", "s.json", "s.prom"]
    assert len(runs.written) > 5, runs.written


def test_interrupted(runs):
    job = runs.start("--data-sets", "100000", "--journal", "interrupted")
    runs.until(lambda found: found["phase"] == "running" and found["data_sets"] == 100000, "a run", job)
    job.send_signal(signal.SIGINT)
    job.communicate(timeout=PATIENCE)
    found = runs.status()
    assert found["phase"] == "interrupted" and has_event(found, "the same command continues with the next"), found


def test_unwritable(runs):
    """Before the run it is refused; while it goes on the run has its way."""
    job = runs.start("--status", "none/s.json")
    _, err = job.communicate(timeout=PATIENCE)
    assert job.returncode == 3 and "none/s.json" in err, (job.returncode, err)
    (runs.folder / "gone").mkdir()
    job = runs.start("--data-sets", "150", "--status", "gone/s.json")
    runs.until(lambda found: found["phase"] == "running" and found["data_sets"] == 150, "a run", job)
    for path in (runs.folder / "gone").iterdir():
        path.unlink()
    (runs.folder / "gone").rmdir()
    _, err = job.communicate(timeout=PATIENCE)
    assert job.returncode == 0, err
    assert err.count("gone/") == 1 and "the run goes on" in err, err


def main():
    runs = Watched(sys.argv[1], mpi_jobs.emptied_folder(sys.argv[2]))
    test_story(runs)
    test_interrupted(runs)
    test_unwritable(runs)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""takt run --input -, FIFOs and folders, --segment and --status: data sets as they come, none lost, whatever is killed
and whoever takes what is complete.

Usage: run_streams_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import html.parser
import json
import os
import pathlib
import re
import signal
import sys

import answer_schemas
import run_jobs
from run_jobs import BAD_INPUT, EACH, INTERRUPTED, LINES, SOME_FAILED, text_of

ADAPTIVE = pathlib.Path(__file__).resolve().parent.parent / "examples/adaptive.json"
SAMPLE = re.compile(r'^[a-z_]+(\{[a-z]+="(\\.|[^"\\])*"(,[a-z]+="(\\.|[^"\\])*")*\})? -?[0-9.e+-]+$')
STATUS = ("--status", "s.json", "--status", "s.html", "--status", "s.prom")


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


class Streams(run_jobs.Runs):
    """Data sets 15, 25, 35 and 39 stand at the gate, 22 fails. So small a window has the results of the data sets
    before the last three in the journal when one arrives."""

    def words(self, journal, *options):
        last = (f'read -r x; case $x in *22) exit 5;; *[123]5|*39) {self.gate.stop};; esac; printf %s "$x"')
        programs = {"first": "cat", "shout": "stdbuf -oL tr a-z A-Z", "last": EACH + last}
        return (programs, "--model", "strict", "--records", "lines", "--on-failure", "skip", "--window", "3",
                "--journal", journal, *options)

    def status(self):
        """Each form is whole."""
        found = json.loads((self.folder / "s.json").read_text())
        fault = answer_schemas.fault_of("run-status", found)
        assert not fault, fault
        page = (self.folder / "s.html").read_text()
        assert "What has happened" in Text(page).words and "location.reload" not in page, page
        for line in (self.folder / "s.prom").read_text().splitlines():
            assert line.startswith("# ") or SAMPLE.match(line), line
        return found

    def put(self, *names):
        for name in names:
            (self.folder / f"filling/.{name}").write_text(f"line {name}")
            (self.folder / f"filling/.{name}").rename(self.folder / "filling" / name)


def expect_events(found, *words):
    for each in words:
        assert any(each in event["words"] for event in found["events"]), (each, found["events"])


def test_standard_input(runs):
    """The last line without a line feed."""
    runs.gate.let_in(4)
    answer, _ = runs.run(*runs.words("whole", "--input", "-", "--json", "--segment", "10"), text="\n".join(LINES),
                         status=SOME_FAILED)
    for _ in range(4):
        runs.gate.arrival()
    assert (answer["data_sets"], answer["delivered"], answer["failed"]) == (40, 40, 1), answer
    files = runs.files("whole")
    assert sorted(files) == ["", ".000001", ".000002", ".000003", ".000004"], sorted(files)
    assert runs.journal_json("whole")["dropped_segments"] == []
    runs.expect_results("whole", ["" if k == 22 else line.upper() for k, line in enumerate(LINES)])


def test_kills(runs):
    """Of a rank, and of takt itself, while somebody reads and deletes complete segments; by whoever is free, and in
    turn. The bytes are those of a run in turn that nobody disturbed."""
    whole = runs.files("whole")
    os.mkfifo(runs.folder / "fifo")
    held = os.open(runs.folder / "fifo", os.O_RDWR)  # what is in a FIFO that nobody holds is lost
    taken = []

    def take_segment():
        path = runs.folder / f"killed.{len(taken) + 1:06}"
        assert path.read_bytes() == whole[path.name.removeprefix("killed")], path
        taken.append(runs.journal(path.name, "--cat").stdout)
        path.unlink()

    (runs.folder / "gone").mkdir()
    os.write(held, text_of(LINES[:30]).encode())
    job = runs.start(*runs.words("killed", "--input", "fifo", "--retries", "2", "--order", "first-free", "--segment",
                                 "10", *STATUS, "--status", "gone/s.json"))
    runs.gate.arrival()
    for other in (("--input", "fifo"), ("--input", "-")):
        runs.refuse(*runs.words("killed", *other), status=BAD_INPUT, says="takt: killed: another run writes to it")
    (runs.folder / "gone").rename(runs.folder / "moved")
    take_segment()
    runs.kill(job, 2)
    runs.gate.let_in()
    runs.gate.arrival()
    take_segment()
    job.send_signal(signal.SIGINT)
    out, err = runs.end(job, INTERRUPTED)
    assert "b died" in err and "predicted" not in out + err, (out, err)
    assert err.count("gone/") == 1 and "the run goes on" in err, err
    found = runs.status()
    assert found["phase"] == "interrupted" and 22 <= found["delivered"] <= 25, found
    expect_events(found, "the run begins, data set 0 is next", "b died; killed holds",
                  "the same command continues with the next")
    assert [each["processor"] for each in found["restarts"]] == ["b"] and found["delivered"] >= found["restarts"][0][
        "data_sets"], found
    assert [state["name"] for state in found["processor_states"] if state["left_out"]] == ["b"], found

    # A journal knows its segments. What takt did not see whole of a line comes again.
    os.write(held, (text_of(LINES[30:38]) + "li").encode())
    words = runs.words("killed", "--input", "fifo")
    job = runs.start(*words)
    runs.gate.arrival()
    runs.gate.let_in()
    process = runs.gate.arrival()
    job.kill()
    job.communicate()
    run_jobs.mpi_jobs.wait_for_end(process)
    os.write(held, text_of(LINES[38:]).encode())
    job = runs.start(*words)
    runs.gate.arrival()
    runs.gate.let_in()
    runs.gate.arrival()
    os.close(held)
    runs.gate.let_in()
    out, err = runs.end(job, SOME_FAILED)
    assert "the run goes on with data set 3" in err, err
    assert "killed.input: 2 bytes of a line that was not whole are cut off" in err, err
    assert "in order, each once; the segments of" in out, out
    left = runs.files("killed")
    assert left == {name: text for name, text in whole.items() if name not in (".000001", ".000002")}, sorted(left)
    assert b"".join(taken) + runs.journal("killed", "--cat").stdout == runs.journal("whole", "--cat").stdout
    found = runs.journal_json("killed")
    assert (found["data_sets"], found["segment_data_sets"]) == (40, 10), found
    assert found["dropped_segments"] == [{"from_data_set": 0, "data_sets": 20}], found


def test_a_folder_that_fills(runs):
    """Whole files, by name among those that are there; taken once, also where takt is killed; .end ends it."""
    (runs.folder / "filling/inner").mkdir(parents=True)
    programs = {"first": EACH + "cat {}", "shout": EACH + "tr a-z A-Z",
                "last": EACH + f'x=$(cat); case $x in *" C"|*AA) {runs.gate.stop};; esac; printf %s "$x"'}
    words = (programs, "--model", "strict", "--journal", "files", "--input", "filling/")
    runs.put("b", "a b", "c")
    job = runs.start(*words)
    runs.gate.arrival()
    runs.put("aa")
    runs.gate.let_in()
    process = runs.gate.arrival()
    job.kill()
    job.communicate()
    run_jobs.mpi_jobs.wait_for_end(process)
    runs.put("d", ".half")
    runs.write("filling/.end", "")
    runs.gate.let_in(2)
    runs.run(*words)
    runs.put("e")
    _, err = runs.run(*words)
    assert "the run goes on with data set 5" in err, err
    runs.expect_results("files", ["LINE A B", "LINE B", "LINE C", "LINE AA", "LINE D", "LINE E"])
    taken = (runs.folder / "files.input").read_bytes()[32:].decode().splitlines()
    assert taken == [f"filling/{name}" for name in ("a b", "b", "c", "aa", "d", "e")], taken


def test_status(runs):
    """A load, another mapping, a rank that dies: each is told. No file that cannot be written is promised."""
    words = ("--model", "strict", "--data-sets", "700", "--adapt", "calibrate", "--load", "p4:5:2s", "--retries", "2")
    runs.refuse({}, *words, "--rehearse", "--status", "none/s.json", instance=ADAPTIVE, status=BAD_INPUT,
                says="none/s.json")
    runs.run({}, *words, "--rehearse", "--kill", "p1:5s", *STATUS, instance=ADAPTIVE)
    found = runs.status()
    assert (found["phase"], found["delivered"], found["under_way"]) == ("ended", 700, 0), found
    assert found["mappings"] > 1 and found["from_data_set"] > 0, found
    expect_events(found, "a load comes to p4, which from now on takes 6 times as long", "another mapping from data set",
                  "p1 died", "the run has come to its end")
    states = {state["name"]: state for state in found["processor_states"]}
    assert states["p4"]["believed_slowdown"] > 2 and states["p1"]["left_out"], states
    shares = [sum(state[key] for key in ("computing", "transferring", "blocked", "starved"))
              for state in states.values() if state["computing"] is not None]
    assert len(shares) > 5 and all(abs(share - 1) < 1e-9 for share in shares), states


def test_misuse(runs):
    for options, says in ((("--input", "-", "--data-sets", "5"), "--data-sets does not go with a streamed input"),
                          (("--input", "-", "--trace-file", "t.csv"), "--trace-file does not go with a streamed"),
                          (("--input", "-", "--again", "failed"), "--again does not go with a streamed input"),
                          (("--max-rate", "0"), 'found "0", expected a number above 0')):
        runs.refuse(*runs.words("misuse", *options), says=says)
    runs.refuse({stage: "cat" for stage in ("first", "shout", "last")}, "--input", "-",
                says="--input -, FIFOs and folders go with --journal")


def main():
    runs = Streams(sys.argv[1], sys.argv[2])
    for test in (test_standard_input, test_kills, test_a_folder_that_fills, test_status, test_misuse):
        test(runs)


if __name__ == "__main__":
    main()

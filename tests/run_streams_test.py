#!/usr/bin/env python3
"""takt run --input - and FIFOs: data sets as they come, none lost, whatever is killed; --max-rate.

Usage: run_streams_test.py TAKT FOLDER   status 77 where there is no mpirun
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import answer_schemas
import mpi_jobs
import run_programs_test as programs

MISUSED = 2
PATIENCE = 60
LINES = [f"line {k}" for k in range(300)]
STAGES = ["--program", "first=stdbuf -oL cat", "--program", "shout=stdbuf -oL tr a-z A-Z", "--each",
          'last=read -r x; case $x in *77) exit 5;; esac; printf %s "$x"', "--records", "lines"]
SKIP = ["--on-failure", "skip"]
SOME_FAILED = 71


class Streams(programs.Runs):
    def command(self, journal, *options):
        return [self.takt, "run", "instance.json", "--model", "strict", "--unit", "1ms", "--journal", journal, *STAGES,
                *options]

    def start(self, journal, *options, **more):
        return subprocess.Popen(self.command(journal, *options), cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **more)

    def answer(self, words, text, status):
        ended = subprocess.run(words, cwd=self.folder, input=text, capture_output=True, text=True, timeout=PATIENCE,
                               check=False)
        assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)
        return ended

    def expect_results(self, journal, lines):
        ended = subprocess.run([self.takt, "journal", journal, "--cat", "--lines"], cwd=self.folder, text=True,
                               capture_output=True, check=True)
        expected = ["" if line.endswith("77") else line.upper() for line in lines]
        assert ended.stdout.splitlines() == expected, ended.stdout
        assert not (self.folder / f"{journal}.input").exists()

    def has(self, journal, result):
        return self.size_of(journal) > 0 and result in (self.folder / journal).read_bytes()

    def size_of(self, journal):
        path = self.folder / journal
        return path.stat().st_size if path.exists() else 0


def children_of(process):
    text = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in text.split()]


def wait_until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.005)


def test_standard_input(runs):
    words = runs.command("plain", *SKIP, "--input", "-", "--json")
    answer = json.loads(runs.answer(words, "".join(line + "\n" for line in LINES[:100]), SOME_FAILED).stdout)
    fault = answer_schemas.fault_of("run", answer)
    assert not fault, fault
    assert (answer["data_sets"], answer["delivered"], answer["failed"]) == (100, 100, 1), answer
    runs.expect_results("plain", LINES[:100])
    # More of it, the last line without a line feed; then nothing.
    ended = runs.answer(words, "\n".join(LINES[100:150]), SOME_FAILED)
    assert "the run goes on with data set 100" in ended.stderr, ended.stderr
    runs.answer(words, "", SOME_FAILED)
    runs.expect_results("plain", LINES[:150])


def test_results_come_while_the_input_is_open(runs):
    job = runs.start("open", "--input", "-", stdin=subprocess.PIPE)
    job.stdin.write("early\nlate")
    job.stdin.flush()
    wait_until(lambda: runs.has("open", b"EARLY"), "a result")
    out, err = job.communicate("r\n", timeout=PATIENCE)
    assert job.returncode == 0, (out, err)
    runs.expect_results("open", ["early", "later"])


def test_kills(runs):
    """Of ranks and launchers while lines come; of takt itself while none do."""
    fifo = runs.folder / "fifo"
    os.mkfifo(fifo)
    options = (*SKIP, "--input", "fifo", "--retries", "2")
    held = os.open(fifo, os.O_RDWR)  # a FIFO without a reader would end who writes
    job = runs.start("killed", *options)
    for first, what in ((0, "rank"), (100, "takt"), (200, "launcher")):
        for number, line in enumerate(LINES[first:first + 100]):
            os.write(held, line.encode() + b"\n")
            time.sleep(0.004)
            if number > 40 and random.random() < 0.1 and what in ("rank", "launcher") and runs.size_of("killed") > 1000:
                launchers = children_of(job.pid)
                ranks = [child for launcher in launchers for child in children_of(launcher)]
                victims = launchers if what == "launcher" else ranks[1:]
                if victims:
                    os.kill(random.choice(victims), signal.SIGKILL)
                    what = "nobody"
        if what == "takt":
            time.sleep(0.1)
            job.kill()
            job.communicate()
            job = runs.start("killed", *options)
    # What is in a FIFO that nobody holds any more is lost.
    wait_until(lambda: runs.has("killed", b"LINE 299"), "the last line")
    os.close(held)
    out, err = job.communicate(timeout=PATIENCE)
    assert job.returncode == SOME_FAILED, (job.returncode, out, err)
    runs.expect_results("killed", LINES)
    runs.answer(runs.command("undisturbed", *SKIP, "--input", "-"), "".join(line + "\n" for line in LINES), SOME_FAILED)
    assert (runs.folder / "killed").read_bytes() == (runs.folder / "undisturbed").read_bytes()


def test_a_line_that_takt_did_not_see_whole(runs):
    job = runs.start("cut", "--input", "-", stdin=subprocess.PIPE)
    job.stdin.write("one\ntw")
    job.stdin.flush()
    wait_until(lambda: runs.has("cut", b"ONE"), "a result")
    job.kill()
    job.communicate()
    ended = runs.answer(runs.command("cut", "--input", "-"), "two\n", 0)
    assert "cut.input: 2 bytes of a line that was not whole are cut off" in ended.stderr, ended.stderr
    runs.expect_results("cut", ["one", "two"])


def test_a_folder_that_fills(runs):
    """Whole files, by name among those that are there; taken once, also where takt is killed; .end ends it."""
    folder = runs.folder / "filling"
    folder.mkdir()

    def put(*names):
        for name in names:
            (folder / f".{name}").write_text(f"line {name}")
            (folder / f".{name}").rename(folder / name)

    stages = ["--each", "first=cat {}", "--each", "shout=tr a-z A-Z", "--each", "last=cat"]
    words = [runs.takt, "run", "instance.json", "--model", "strict", "--unit", "1ms", "--journal", "files", *stages,
             "--input", "filling/"]
    put("b", "a b", "c")
    (folder / "inner").mkdir()
    job = subprocess.Popen(words, cwd=runs.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: runs.has("files", b"LINE C"), "the first results")
    put("aa")
    wait_until(lambda: runs.has("files", b"LINE AA"), "the next result")
    job.kill()
    job.communicate()
    put("d", ".half")
    (folder / ".end").write_text("")
    runs.answer(words, None, 0)
    put("e")
    runs.answer(words, None, 0)
    ended = runs.answer([runs.takt, "journal", "files", "--cat", "--lines"], None, 0)
    assert ended.stdout.splitlines() == ["LINE A B", "LINE B", "LINE C", "LINE AA", "LINE D", "LINE E"], ended.stdout
    taken = (runs.folder / "files.input").read_bytes()[32:].decode().splitlines()
    assert taken == [f"filling/{name}" for name in ("a b", "b", "c", "aa", "d", "e")], taken


def test_rate(runs):
    (runs.folder / "forty").write_text("".join(line + "\n" for line in LINES[:40]))
    ended = runs.answer(runs.command("rate", "--input", "forty", "--max-rate", "50", "--json"), None, 0)
    answer = json.loads(ended.stdout)
    assert answer["measured_period"] is None and 0.77 < answer["seconds"] < 5, answer["seconds"]
    runs.expect_results("rate", LINES[:40])


def test_misuse(runs):
    for options, message in ((("--input", "-", "--data-sets", "5"), "--data-sets does not go with a streamed input"),
                             (("--input", "-", "--trace-file", "t.csv"), "--trace-file does not go with a streamed"),
                             (("--input", "-", "--again", "failed"), "--again does not go with a streamed input"),
                             (("--max-rate", "0"), 'found "0", expected a number above 0')):
        ended = runs.answer(runs.command("misuse", *options), "", MISUSED)
        assert message in ended.stderr, ended.stderr
    words = [word for word in runs.command("misuse", "--input", "-") if word not in ("--journal", "misuse")]
    assert "--input -, FIFOs and folders go with --journal" in runs.answer(words, "", MISUSED).stderr
    # A journal of lines is none of a stream.
    ended = runs.answer(runs.command("rate", "--input", "-"), "", programs.BAD_INPUT)
    assert "a journal of another pipeline" in ended.stderr, ended.stderr


def main():
    folder = mpi_jobs.emptied_folder(sys.argv[2])
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    runs = Streams(str(pathlib.Path(sys.argv[1]).resolve()), folder)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test(runs)


if __name__ == "__main__":
    main()

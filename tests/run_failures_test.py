#!/usr/bin/env python3
"""takt run --on-failure: data sets that fail do not stop a run; they are recorded, told, and run again.

Usage: run_failures_test.py TAKT FAILING_STAGES FOLDER   status 77 where there is no mpirun
"""
import json
import os
import pathlib
import signal
import subprocess
import sys

import answer_schemas
import mpi_jobs
import run_programs_test as programs
import run_streams_test as streams

MISUSED = 2
SOME_FAILED = 71
EACH = programs.EACH
expect = programs.expect
# Sevens end with a status, data set 20 by a signal; all other lines become large.
ODD = """x=$(cat)
case "$x" in
*7) echo "no sevens" >&2; exit 3;;
"line 20") kill -9 $$;;
esac
printf %s "$x" | tr a-z A-Z
"""
FAILED = [7, 17, 20, 27, 37, 47, 57]
TWO_STAGES = {
    "application": {"stages": [{"name": "first", "work": 1, "output": 1}, {"name": "second", "work": 1}]},
    "platform": {"processors": [{"name": name, "speed": 1000} for name in "abc"], "bandwidth": 1000},
    "mapping": [{"stages": ["first"], "processors": ["a"]}, {"stages": ["second"], "processors": ["b", "c"]}],
}


class FailingRuns(programs.Runs):
    def journal(self, name, *options):
        return subprocess.run([self.takt, "journal", name, *options], cwd=self.folder, capture_output=True, text=True,
                              check=False)

    def failures(self, name):
        """By data set: stage, words and length of the input."""
        answer = json.loads(self.journal(name, "--failed", "--json").stdout)
        fault = answer_schemas.fault_of("journal", answer)
        assert not fault, fault
        assert answer["failed"] == len(answer["failures"])
        return {of["data_set"]: (of["stage"], of["words"], of["input_bytes"]) for of in answer["failures"]}

    def expect_results(self, name, expected):
        """In order, an empty line for None, which is told."""
        ended = self.journal(name, "--cat", "--lines")
        assert ended.stdout.splitlines() == [line or "" for line in expected], ended.stdout
        missing = expected.count(None)
        assert (f"{missing} data set" in ended.stderr) if missing else ended.stderr == "", ended.stderr
        ended = self.journal(name, "--cat")
        assert ended.stdout == "".join(line for line in expected if line is not None), ended.stdout


def all_each(shout):
    return {"first": EACH + "cat", "shout": EACH + shout, "last": EACH + "cat"}


def upper(failed=()):
    return [None if k in failed else f"LINE {k}" for k in range(60)]


def test_skip(runs):
    (runs.folder / "odd.sh").write_text(ODD)
    for options in (("--on-failure", "skip"), ("--on-failure", "skip", "--model", "overlap", "--window", "3")):
        (runs.folder / "skip").unlink(missing_ok=True)
        ended = runs.run("skip", all_each("sh odd.sh"), "--input", "input", "--json", *options)
        expect(ended, SOME_FAILED)
        assert "takt: 7 of 60 data sets have failed: takt journal skip --failed" in ended.stderr, ended.stderr
        answer = json.loads(ended.stdout)
        assert not answer_schemas.fault_of("run", answer), answer_schemas.fault_of("run", answer)
        assert answer["failed"] == 7 and answer["measured_period"] is None, answer
        assert answer["journal"] == {"file": "skip", "data_sets": 60, "failed": 7}, answer["journal"]
    said = "its program ended: exit status 3; on standard error: no sevens"
    killed = "its program ended: ended by signal 9 (Killed)"
    expected = {k: ("shout", killed if k == 20 else said, len(f"line {k}")) for k in FAILED}
    assert runs.failures("skip") == expected, runs.failures("skip")
    runs.expect_results("skip", upper(FAILED))
    text = runs.journal("skip", "--failed", "--extract", "inputs").stdout
    assert "skip: 7 of 60 data sets failed\n" in text and "data set 20, stage shout: " + killed in text, text
    inputs = {int(path.name): path.read_text() for path in (runs.folder / "inputs").iterdir()}
    assert inputs == {k: f"line {k}" for k in FAILED}, inputs
    runs.journal("skip", "--extract", "results")
    assert {int(path.name) for path in (runs.folder / "results").iterdir()} == set(range(60)) - set(FAILED)

    # Nothing is left to do, and the failures are still told.
    ended = runs.run("skip", all_each("sh odd.sh"), "--input", "input")
    expect(ended, SOME_FAILED)
    assert "Nothing is left to run." in ended.stdout and "--again failed" in ended.stderr, ended


def test_again(runs):
    """Behind test_skip. Only what has failed runs; what fails again keeps its last words; what does not is replaced."""
    sized = (runs.folder / "skip").stat().st_size
    (runs.folder / "odd.sh").write_text(ODD.replace('"line 20") kill', '"line 17"|"line 27") exit 9;; none) kill')
                                        .replace("*7)", '*[035]7|"line 20")'))
    again = ("--input", "input", "--on-failure", "skip", "--again", "failed")
    ended = runs.run("skip", all_each("sh odd.sh"), *again)
    expect(ended, SOME_FAILED)
    assert ended.stdout.startswith("7 data sets delivered in order in ") and "5 of them failed" in ended.stdout, ended
    failures = runs.failures("skip")
    assert sorted(failures) == [17, 20, 27, 37, 57], failures
    assert failures[17][1] == "its program ended: exit status 9", failures
    runs.expect_results("skip", upper(failures))

    # Others on purpose.
    ended = runs.run("skip", all_each("tr a-z A-Z"), *again)
    expect(ended, programs.BAD_INPUT)
    expect(runs.run("skip", all_each("tr a-z A-Z"), *again, "--same-journal"), 0)
    assert runs.failures("skip") == {}
    runs.expect_results("skip", upper())
    assert (runs.folder / "skip").stat().st_size > sized
    ended = runs.run("skip", all_each("tr a-z A-Z"), *again)
    expect(ended, 0)
    assert "Nothing is left to run." in ended.stdout, ended.stdout


def test_again_while_ranks_die(runs):
    """The same bytes as undisturbed, whether mpirun dies or a rank."""
    expect(runs.run("base", all_each("exit 4"), "--input", "input", "--on-failure", "skip"), SOME_FAILED)
    again = ("--input", "input", "--on-failure", "skip", "--again", "failed", "--same-journal", "--retries", "2")
    slow = all_each('read -r x; sleep 0.03; case $x in *7) exit 6;; esac; printf %s "$x" | tr a-z A-Z')
    base = (runs.folder / "base").read_bytes()
    (runs.folder / "whole").write_bytes(base)
    expect(runs.run("whole", slow, *again), SOME_FAILED)
    for victim in ("launcher", "rank"):
        journal = runs.folder / "again"
        journal.write_bytes(base)
        words = [runs.takt, "run", "instance.json", "--model", "strict", "--unit", "1ms", "--journal", "again", *again]
        for stage, command in slow.items():
            words += ["--each", f"{stage}={command.removeprefix(EACH)}"]
        job = subprocess.Popen(words, cwd=runs.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        streams.wait_until(lambda: journal.stat().st_size > len(base) + 1000, "results")
        launchers = streams.children_of(job.pid)
        os.kill(launchers[0] if victim == "launcher" else streams.children_of(launchers[0])[-1], signal.SIGKILL)
        out, err = job.communicate(timeout=60)
        assert job.returncode == SOME_FAILED and "; start 2 of 3, " in err, (victim, job.returncode, out, err)
        assert journal.read_bytes() == (runs.folder / "whole").read_bytes(), victim


def test_retry(runs):
    """Each data set fails once at one stage and twice at another."""
    (runs.folder / "moody.sh").write_text(
        'x=$(cat); f="tries-$1-$TAKT_DATA_SET"; echo >> "$f"; [ $(wc -l < "$f") -gt "$1" ] || exit 5\n'
        'printf %s "$x"\n')
    moody = {"first": EACH + "sh moody.sh 1", "shout": EACH + "tr a-z A-Z", "last": EACH + "sh moody.sh 2"}
    expect(runs.run("retry", moody, "--input", "input", "--on-failure", "retry:2"), 0)
    runs.expect_results("retry", upper())
    tries = [len(path.read_text()) for path in runs.folder.glob("tries-*")]
    assert sorted(tries) == [2] * 60 + [3] * 60, tries
    for path in runs.folder.glob("tries-*"):
        path.unlink()
    expect(runs.run("retried", moody, "--input", "input", "--on-failure", "retry:1"), SOME_FAILED)
    assert {of[:2] for of in runs.failures("retried").values()} == {("last", "its program ended: exit status 5")}
    assert len(runs.failures("retried")) == 60


def test_filters(runs):
    """Programs for all data sets: one that dies is started again for the next data set; one that is late is killed."""
    (runs.folder / "filter.sh").write_text(
        'while read -r x; do case "$x" in *13) kill -SEGV $$;; *25) exec sleep 100;; *26) exit 0;; esac\n'
        'echo "$x"; done\n')
    filters = {"first": "cat", "shout": "exec sh filter.sh", "last": "cat"}
    ended = runs.run("filters", filters, "--input", "input", "--records", "lines", "--on-failure", "skip",
                     "--stage-limit", "2s")
    expect(ended, SOME_FAILED)
    failures = runs.failures("filters")
    assert sorted(failures) == [13, 25, 26], failures
    assert "signal 11" in failures[13][1], failures
    assert failures[25][1].startswith("its program did not answer within 2000 ms"), failures
    runs.expect_results("filters", [None if k in failures else f"line {k}" for k in range(60)])


def test_functions(runs, program):
    """A function that throws is tried again at once; one that ends its process, in the next job, on another one."""
    (runs.folder / "two.json").write_text(json.dumps(TWO_STAGES))
    words = ["fine"] * 12
    words[3], words[5], words[8] = "throw", "crash", "exit"
    (runs.folder / "words").write_text("".join(word + "\n" for word in words))
    command = [runs.takt, "run", "two.json", "--model", "strict", "--executable", program, "--input", "words",
               "--journal", "functions", "--on-failure", "retry:1"]
    ended = subprocess.run(command, cwd=runs.folder, capture_output=True, text=True, check=False, timeout=120)
    expect(ended, SOME_FAILED)
    tried = "stage second, data set 5: its process died of: Segmentation fault; functions holds "
    assert ended.stderr.count(tried) == 2, ended.stderr
    assert ended.stderr.count("; try 2 of 2 follows on ") == 2, ended.stderr
    assert ended.stderr.count("; the run goes on without a result of this data set") == 2, ended.stderr
    failures = runs.failures("functions")
    assert failures == {3: ("second", "no more\\u000aof this", 5),
                        5: ("second", "its process died of: Segmentation fault", 5),
                        8: ("second", "it called exit, which ends its process, and did not throw", 4)}, failures
    runs.expect_results("functions", [None if k in failures else "fine!" for k in range(12)])


def test_misuse(runs):
    plain = all_each("cat")
    for options, message in (
            (("--on-failure", "perhaps"), 'found "perhaps", expected stop, skip or retry:N'),
            (("--on-failure", "retry:0"), 'found "retry:0"'),
            (("--on-failure", "retry:1x"), 'found "retry:1x"'),
            (("--again", "failed", "--data-sets", "3"), "--again and --data-sets exclude each other")):
        ended = runs.run("misuse", plain, "--input", "input", *options)
        expect(ended, MISUSED)
        assert message in ended.stderr, ended.stderr
    for options in (("--on-failure", "skip"), ("--again", "failed")):
        ended = subprocess.run([runs.takt, "run", "instance.json", *options, "--each", "first=cat", "--each",
                                "shout=cat", "--each", "last=cat"], cwd=runs.folder, capture_output=True, text=True,
                               check=False)
        expect(ended, MISUSED)
        assert "goes with --journal" in ended.stderr, ended.stderr
    ended = runs.run("misuse", {}, "--on-failure", "skip")
    expect(ended, MISUSED)
    assert "--on-failure goes with --program, --each or --executable" in ended.stderr, ended.stderr
    assert not (runs.folder / "misuse").exists()


def main():
    folder = mpi_jobs.emptied_folder(sys.argv[3])
    runs = FailingRuns(str(pathlib.Path(sys.argv[1]).resolve()), folder)
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    test_skip(runs)
    test_again(runs)
    test_again_while_ranks_die(runs)
    test_retry(runs)
    test_filters(runs)
    if pathlib.Path(sys.argv[2]).exists():  # built where there is zlib
        test_functions(runs, str(pathlib.Path(sys.argv[2]).resolve()))
    test_misuse(runs)


if __name__ == "__main__":
    main()

"""What tests of takt run with programs as stages share."""
import json
import os
import pathlib
import signal
import subprocess

import answer_schemas
import mpi_jobs

MISUSED = 2
BAD_INPUT = 3
INTERRUPTED = 4
RUN_FAILED = 70
SOME_FAILED = 71
EACH = "each:"  # before a command that is started for each data set
INSTANCE = {
    "application": {"stages": [{"name": "first", "work": 1, "output": 1}, {"name": "shout", "work": 3, "output": 1},
                               {"name": "last", "work": 1}]},
    "platform": {"processors": [{"name": name, "speed": 1} for name in "abc"], "bandwidth": 10},
    "mapping": [{"stages": ["first"], "processors": ["a"]}, {"stages": ["shout", "last"], "processors": ["b", "c"]}],
}
LINES = [f"line {k}" for k in range(40)]
# The program of docs/formats.md.
SHOUT = """import struct, sys
while head := sys.stdin.buffer.read(8):
    data = sys.stdin.buffer.read(struct.unpack("<Q", head)[0])
    sys.stdout.buffer.write(head + data.upper())
    sys.stdout.buffer.flush()
"""


def text_of(lines):
    return "".join(line + "\n" for line in lines)


def words_of(programs):
    return [word for stage, command in programs.items() for word in
            ("--each" if command.startswith(EACH) else "--program", f"{stage}={command.removeprefix(EACH)}")]


class Runs:
    """In one folder, with an instance, 40 lines and a gate."""

    def __init__(self, takt, folder):
        self.takt = str(pathlib.Path(takt).resolve())
        self.folder = mpi_jobs.emptied_folder(folder)
        self.gate = mpi_jobs.Gate(self.folder)
        self.write("instance.json", json.dumps(INSTANCE))
        self.write("input", text_of(LINES))
        self.write("shout.py", SHOUT)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def start(self, programs, *options, instance="instance.json", **more):
        unit = ["--unit", "1ms"] if instance == "instance.json" else []
        command = [self.takt, "run", str(instance), *unit, *map(str, options), *words_of(programs)]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                **more)

    def end(self, job, status=0, text=None):
        """What it says on standard output and standard error; JSON is as its schema says."""
        out, err = job.communicate(text)
        assert job.returncode == status, (job.args, job.returncode, out, err)
        if "--json" in job.args:
            out = json.loads(out)
            fault = answer_schemas.fault_of("run", out)
            assert not fault, fault
        return out, err

    def run(self, programs, *options, status=0, text=None, **more):
        return self.end(self.start(programs, *options, stdin=subprocess.PIPE, **more), status, text)

    def refuse(self, programs, *options, says, status=MISUSED, **more):
        _, err = self.run(programs, *options, status=status, **more)
        assert says in err, (says, err)

    def kill(self, job, rank):
        """A rank while a program stands at the gate, whose like is there again when this returns."""
        first = self.gate.process
        os.kill(mpi_jobs.ranks_of(job.pid)[rank], signal.SIGKILL)
        self.gate.arrival()
        mpi_jobs.wait_for_end(first)

    def journal(self, name, *options):
        return subprocess.run([self.takt, "journal", name, *options], cwd=self.folder, capture_output=True, check=True)

    def journal_json(self, name, *options):
        found = json.loads(self.journal(name, *options, "--json").stdout)
        fault = answer_schemas.fault_of("journal", found)
        assert not fault, fault
        return found

    def failures(self, name):
        """By data set: stage, words and length of the input."""
        found = self.journal_json(name, "--failed")
        assert found["failed"] == len(found["failures"]), found
        return {of["data_set"]: (of["stage"], of["words"], of["input_bytes"]) for of in found["failures"]}

    def expect_results(self, name, lines, told=""):
        """In order, an empty line for a data set that failed. What is missing is told."""
        ended = self.journal(name, "--cat", "--lines")
        assert ended.stdout.decode().splitlines() == lines, (lines, ended.stdout)
        told = told or (f"{lines.count('')} data set" if "" in lines else "")
        assert told in ended.stderr.decode() and bool(told) == bool(ended.stderr), ended.stderr
        assert self.journal(name, "--cat").stdout == "".join(lines).encode()

    def files(self, journal):
        """All of a journal, by what stands behind its name."""
        return {path.name.removeprefix(journal): path.read_bytes() for path in self.folder.glob(journal + "*")}

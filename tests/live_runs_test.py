#!/usr/bin/env python3
"""takt run: MPI jobs keep to the net; whatever of them is killed, no result is lost, and no process or file is left.

Usage: live_runs_test.py TAKT SOURCES FOLDER   status 77 where there is no mpirun
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import answer_schemas
import mpi_jobs

INTERRUPTED = 4
SOME_FAILED = 71
DATA_SETS = 16
CHAIN = {
    "application": {"stages": [{"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 2, "output": 1},
                               {"name": "c", "work": 1}]},
    "platform": {"processors": [{"name": name, "speed": 1} for name in "pqrs"], "bandwidth": 1000},
    "mapping": [{"stages": ["a"], "processors": ["p"]}, {"stages": ["b"], "processors": ["q", "r"]},
                {"stages": ["c"], "processors": ["s"]}],
}
# A shell with children, one of them in a session of its own.
STUBBORN = ("trap '' TERM INT HUP; sleep 1000 | cat & setsid sleep 1000 & "
            "while read -r x; do echo \"$x.\"; done")


def expect(holds, *what):
    if not holds:
        sys.exit("live: " + "\n".join(map(str, what)))


def forks_and_joins():
    """A workflow of two entries and two exits, each part on two processors; processor b1 serves two parts."""
    stages = [{"name": "left", "work": 6, "output": 4}, {"name": "right", "work": 5, "output": 3, "after": []},
              {"name": "both", "work": 8, "output": 5, "after": ["left", "right"]},
              {"name": "side", "work": 3, "after": ["right"], "output": 2},
              {"name": "last", "work": 4, "output": 1, "after": ["left", "both"]}]
    served = [["a0", "a1"], ["b0", "b1"], ["c0", "c1", "c2"], ["d0", "b1"], ["e0", "e1"]]
    names = sorted({processor for part in served for processor in part})
    return {"application": {"input": 2, "stages": stages},
            "platform": {"processors": [{"name": each, "speed": 1} for each in names], "bandwidth": 2},
            "mapping": [{"stages": [stage["name"]], "processors": part} for stage, part in zip(stages, served)]}


class Runs:
    """In one folder, with one for temporary files, so that those of others do not count."""

    def __init__(self, takt, folder):
        self.takt = takt
        self.folder = folder
        self.left = folder / "left"
        self.left.mkdir()
        self.mark = f"TAKT_TEST_MARK={folder.name}-{os.getpid()}"
        name, value = self.mark.split("=")
        self.environment = os.environ | {"TMPDIR": str(self.left), name: value,
                                         "OMPI_MCA_btl_vader_backing_directory": str(self.left)}
        (folder / "chain.json").write_text(json.dumps(CHAIN))
        (folder / "forks.json").write_text(json.dumps(forks_and_joins()))
        self.gate = mpi_jobs.Gate(folder)

    def start(self, instance, *words):
        command = [self.takt, "run", str(instance), "--json", *map(str, words)]
        return subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def end(self, job, status=0):
        """What it answers, if it does, and says on standard error. Nothing of it is left."""
        out, err = job.communicate()
        expect(job.returncode == status, job.args, f"status {job.returncode}", out, err)
        answer = json.loads(out) if out else None
        fault = answer_schemas.fault_of("run", answer) if out else ""
        expect(not fault, job.args, fault)
        mpi_jobs.Ends(mpi_jobs.marked_processes(self.mark)).wait()
        # Open MPI removes its own folder, unless it was killed itself.
        left = [path for path in self.left.rglob("*")
                if not path.is_dir() and not path.relative_to(self.left).parts[0].startswith("ompi.")]
        expect(not left and not list(self.left.glob("takt-run-*")), job.args, "left are", left)
        return answer, err

    def run(self, instance, *words):
        return self.end(self.start(instance, *words))[0]

    def tell(self, *words):
        return subprocess.run([self.takt, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                              check=True).stdout

    def start_chain(self, journal, *words):
        """Data sets 4, 8 and 12 stand at the gate, 3 and 10 fail: one by its status, one by a signal. So small a window
        has results in the journal when a data set arrives."""
        frail = ('read -r x; case "$x" in 3.) echo no >&2; exit 5;; 10.) kill -9 $$;; '
                 f'4.|8.|12.) {self.gate.stop};; esac; printf %s "$x"')
        return self.start("chain.json", "--model", "strict", "--data-sets", DATA_SETS, "--window", 3, "--records",
                          "lines", "--on-failure", "skip", "--journal", journal, "--program", f"a={STUBBORN}", "--each",
                          f"b={frail}", "--program", f"c={STUBBORN}", *words)

    def victim(self, job, kind):
        """takt, launcher, or the number behind "rank" or "keeper"; rank 0 is the coordinator."""
        if kind == "takt":
            return job.pid
        if kind == "launcher":
            return mpi_jobs.launchers_of(job.pid)[0]
        name, number = kind.split()
        rank = mpi_jobs.ranks_of(job.pid)[int(number)]
        keepers = [child for child in mpi_jobs.children_of(rank) if mpi_jobs.name_of(child) == "takt-keeper"]
        return rank if name == "rank" else keepers[0]

    def kill(self, job, kind, number=signal.SIGKILL):
        """Returns when all processes of the MPI job have ended. Files that its victim alone could remove go with it."""
        names = {"takt": "takt-run-*", "launcher": "vader_segment*"} if number == signal.SIGKILL else {}
        orphaned = [*self.left.glob(names.get(kind, "none"))]
        ends = mpi_jobs.Ends(set(mpi_jobs.marked_processes(self.mark)) - ({job.pid} if kind != "takt" else set()))
        os.kill(self.victim(job, kind), number)
        if kind == "takt":
            job.communicate()
        ends.wait()
        for path in orphaned:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def keeps_to_the_net(runs, sources):
    """With the model's clock a run is the play of the net, line by line, in the exact period. However small files
    are, a transfer begins when both sides are ready."""
    trace = runs.folder / "trace.csv"
    for instance, model, *words in ((sources / "examples/example-a.json", "strict", "--unit", "9us", "--bytes", 64),
                                    (sources / "tests/data/run-hosts.json", "overlap", "--unit", "180us"),
                                    (runs.folder / "forks.json", "strict", "--unit", "180us")):
        answer = runs.run(instance, "--model", model, "--data-sets", 60, "--window", 60, "--anchor", "logical",
                          "--trace-file", trace, *words)
        expect(answer["delivered"] == 60 and not answer["wrong"], instance, answer)
        expect(max(each["predicted_utilization_decimal"] for each in answer["resources"]) <= 1, instance, answer)
        share = answer["measured_period_decimal"] / answer["predicted_period_decimal"]
        expect(abs(share - 1) < 0.001, instance, f"{share} times the period")
        expect(trace.read_text() == runs.tell("simulate", instance, "--model", model, "--data-sets", 60), instance,
               f"another trace than that of takt simulate, in {trace}")


def all_ways_deliver(runs, sources):
    """Whatever stages and links do and however ranks wait. Stages that spin take their 16 time units at least."""
    hosts = (sources / "tests/data/run-hosts.json", "strict", 16, "--kernel", "spin", "--links", "real", "--window", 1)
    parts = (sources / "examples/several-parts.json", "overlap", 0, "--anchor", "observed", "--wait", "poll",
             "--realtime", "off")
    for instance, model, least, *words in (hosts, parts):
        answer = runs.run(instance, "--model", model, "--data-sets", 40, "--journal", instance.stem, "--unit", "100us",
                          *words)
        expect((answer["delivered"], answer["wrong"], answer["journal"]["data_sets"]) == (40, 0, 40), words, answer)
        expect(answer["measured_period_decimal"] >= least, words, answer)


def listening_sockets():
    """The inodes of sockets that anybody on a network could reach: TCP in state LISTEN, not of loopback."""
    found = set()
    for path in map(pathlib.Path, ("/proc/net/tcp", "/proc/net/tcp6")):
        for line in path.read_text().splitlines()[1:] if path.exists() else []:
            words = line.split()
            if words[3] == "0A" and not words[1].startswith("0100007F"):
                found.add(f"socket:[{words[9]}]")
    return found


def expect_closed(job):
    """Its ranks do not come before real stages, and listen to no network."""
    ranks = mpi_jobs.ranks_of(job.pid)
    expect(sorted(ranks) == list(range(5)), ranks)
    for rank, process in ranks.items():
        expect(os.sched_getscheduler(process) & ~os.SCHED_RESET_ON_FORK == os.SCHED_OTHER, f"rank {rank} comes first")
        heard = mpi_jobs.open_files_of(process) & listening_sockets()
        expect(not heard, f"rank {rank} listens beyond loopback: {heard}")


def state_of(process):
    return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]


def expect_stopped(runs, job):
    """Ctrl-Z stops all of a run but keepers, which end what is left if others are killed meanwhile; fg has it go on."""
    job.send_signal(signal.SIGTSTP)
    expect(os.WIFSTOPPED(os.waitpid(job.pid, os.WUNTRACED)[1]), "Ctrl-Z does not stop takt")
    found = [(state_of(process), mpi_jobs.name_of(process)) for process in mpi_jobs.marked_processes(runs.mark)]
    expect(len(found) > 10 and all(state == "T" or name == "takt-keeper" for state, name in found), found)
    job.send_signal(signal.SIGCONT)
    os.waitpid(job.pid, os.WCONTINUED)


def nothing_is_lost_or_left(runs):
    journal = runs.folder / "disturbed"
    job = runs.start_chain(journal)
    runs.gate.arrival()
    expect_closed(job)
    runs.kill(job, "takt")
    journal.write_bytes(journal.read_bytes()[:-3])
    job = runs.start_chain(journal)
    runs.gate.arrival()
    expect_stopped(runs, job)
    # As when a terminal is closed, by somebody in a hurry.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT, signal.SIGTERM, signal.SIGINT):
        job.send_signal(number)
    _, err = runs.end(job, INTERRUPTED)
    expect("torn record at the end" in err and "the same command continues" in err, err)

    job = runs.start_chain(journal, "--retries", 3)
    for kind in ("rank 2", "rank 0", "launcher"):
        runs.gate.arrival()
        runs.kill(job, kind)
        runs.gate.arrival()
        runs.gate.let_in()
    answer, err = runs.end(job, SOME_FAILED)
    expect([each["processor"] for each in answer["restarts"]] == ["q", None, None] and answer["ranks"] == 4, answer)
    expect(answer["journal"]["data_sets"] == DATA_SETS and answer["journal"]["failed"] == 2, answer)
    expect("No real-time priority was permitted" not in err, err)

    # Undisturbed; adapting repeats programs elsewhere, whose results are thrown away.
    runs.gate.let_in(100)
    runs.end(runs.start_chain("whole", "--adapt", "calibrate"), SOME_FAILED)
    expect(journal.read_bytes() == (runs.folder / "whole").read_bytes(), "another journal than of an undisturbed run")
    lines = [f"{k}.." for k in range(DATA_SETS)]
    lines[3] = lines[10] = ""
    found = runs.tell("journal", "whole", "--cat", "--lines").splitlines()
    expect(found == lines, found)


def main():
    sources = pathlib.Path(sys.argv[2]).resolve()
    folder = mpi_jobs.emptied_folder(sys.argv[3])
    runs = Runs(str(pathlib.Path(sys.argv[1]).resolve()), folder)
    keeps_to_the_net(runs, sources)
    all_ways_deliver(runs, sources)
    nothing_is_lost_or_left(runs)


if __name__ == "__main__":
    main()

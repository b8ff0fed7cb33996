#!/usr/bin/env python3
"""takt run on several machines, each with a network, a clock and temporary files of its own: the results of one.

Usage: hosts_test.py TAKT SOURCES FOLDER [KILLS [SEED]]   status 77 where machines cannot be made; KILLS default: 3
"""
import contextlib
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
import answer_schemas  # noqa: E402
import hosts as machines  # noqa: E402
from mpi_jobs import name_of  # noqa: E402

SOME_FAILED = 71
RUN_FAILED = 70
SLOTS = [4, 4, 3]
LAUNCHERS = ("mpirun", "orted")
LINES = [f"line {k}" for k in range(200)]
# On ten processors; those that are left can do it, too.
STAGES = [f"s{k}" for k in range(8)]
PROGRAMS = ["--records", "lines", "--program", "s0=stdbuf -oL tr a-z A-Z", "--each",
            's4=read -r x; case $x in *7) echo "no $x" >&2; exit 5;; *33) kill -9 $$;; esac; printf %s "$x"']
for number in (1, 2, 3, 5, 6, 7):
    PROGRAMS += ["--program", f"s{number}=stdbuf -oL sed s/^/{number}/"]
SKIP = ["--on-failure", "skip"]


def result_of(line):
    return "" if line.endswith(("7", "33")) else f"765321{line.upper()}"


def expect(holds, what):
    if not holds:
        sys.exit(f"hosts: {what}")


class Runs:
    """Of one instance, on the three machines or on the first alone."""

    def __init__(self, takt, sources, folder, hosts):
        self.takt = takt
        self.folder = folder
        self.instance = sources / "examples/adaptive.json"
        self.shared_ports = sources / "tests/data/run-hosts.json"
        self.hosts = hosts
        # Nobody but the first machine has it.
        self.input = hosts.temporary / "lines"
        hosts.on(0, "sh", "-c", f"cat > {self.input}", input="".join(line + "\n" for line in LINES), text=True,
                 check=True)

    def command(self, journal, *options, slots=SLOTS):
        launcher = ["--launcher", self.hosts.launcher(slots), "--start-limit", "60s"] if slots else []
        unit = [] if "--unit" in options else ["--unit", "200ms"]
        return [*self.hosts.words(0), self.takt, "run", str(self.instance), "--model", "strict", *unit, "--journal",
                str(self.folder / journal), "--json", *launcher, *map(str, options)]

    def start(self, journal, *options, **more):
        return subprocess.Popen(self.command(journal, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, **more)

    def run(self, journal, *options, slots=SLOTS, status=0, text=None):
        """The answer, and what is said on standard error."""
        ended = subprocess.run(self.command(journal, *options, slots=slots), input=text, capture_output=True, text=True,
                               check=False)
        expect(ended.returncode == status, f"{options}: status {ended.returncode}\n{ended.stdout}{ended.stderr}")
        answer = json.loads(ended.stdout) if ended.stdout else None
        fault = answer_schemas.fault_of("run", answer) if answer is not None else ""
        expect(not fault, f"{options}: {fault}")
        return answer, ended.stderr

    def bytes_of(self, journal):
        return (self.folder / journal).read_bytes()

    def results(self, journal):
        ended = subprocess.run([self.takt, "journal", str(self.folder / journal), "--cat", "--lines"], text=True,
                               capture_output=True, check=True)
        return ended.stdout.splitlines()

    def ranks(self):
        """By rank, its process: a child of mpirun, or of its daemon on another machine."""
        found = {}
        for k in range(len(self.hosts.names)):
            for process in self.hosts.processes(k):
                with contextlib.suppress(OSError, ValueError):
                    entry = pathlib.Path(f"/proc/{process}")
                    if name_of(entry.joinpath("stat").read_text().rpartition(")")[2].split()[1]) not in LAUNCHERS:
                        continue
                    for variable in entry.joinpath("environ").read_bytes().split(b"\0"):
                        name, _, value = variable.partition(b"=")
                        if name == b"OMPI_COMM_WORLD_RANK":
                            found[int(value)] = process
        return found

    def named(self, k, name):
        """The processes of a program on a machine."""
        return [process for process in self.hosts.processes(k) if name_of(process) == name]

    def expect_nobody(self, what):
        """But daemons of Open MPI 4.1, which can wait for ever in their own end once a process of theirs has died
        (open-mpi/ompi#7790): they are named, and ended."""
        end = time.monotonic() + 30
        while left := [process for k in range(len(self.hosts.names)) for process in self.hosts.processes(k)]:
            time.sleep(0.02)
            if time.monotonic() < end:
                continue
            words = [machines.words_of_process(process) for process in left]
            expect(all(": orted " in line or ": sh -c  orted " in line for line in words),
                   f"{what}: processes are left:{''.join(words)}")
            print(f"{what}: daemons of Open MPI are left:{''.join(line[:100] for line in words)}")
            for process in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    def files(self):
        """What stands in folders for temporary files, by machine."""
        found = []
        for k in range(len(self.hosts.names)):
            listed = self.hosts.on(k, "find", self.hosts.temporary, "-type", "f", capture_output=True, text=True,
                                   check=True).stdout.split()
            found.append(set(listed) - {str(self.input)})
        return found


def test_emulated(runs):
    """The clocks are 1000 s apart: what is taken for the time of another machine would show in every number."""
    alone, _ = runs.run("alone", "--data-sets", 100, slots=None)
    answer, _ = runs.run("spread", "--data-sets", 100)
    expect(answer["hosts"] == 3 and alone["hosts"] == 1, f"{alone['hosts']} and {answer['hosts']} machines")
    expect(answer["delivered"] == 100 and answer["wrong"] == 0, f"{answer}")
    expect(0 < answer["clock_error_seconds"] < 0.01 and alone["clock_error_seconds"] == 0, f"clocks: {answer}")
    expect(runs.bytes_of("alone") == runs.bytes_of("spread"), "another journal than that of one machine")
    share = answer["measured_period_decimal"] / answer["predicted_period_decimal"]
    expect(0.9 < share < 1.5, f"a period of {share} times the predicted one")
    print(f"emulated: {share - 1:+.2%}, clocks known to within {1e6 * answer['clock_error_seconds']:.0f} us")


def test_who_waits(runs):
    answer, _ = runs.run("polled", "--data-sets", 40, "--wait", "poll")
    expect(answer["delivered"] == 40, f"{answer}")
    _, err = runs.run("belled", "--data-sets", 40, "--wait", "bell", status=RUN_FAILED)
    expect("processes do not share memory for bells: they are on several machines" in err, err)


def test_shared_ports(runs):
    """Turns at the ports of a host go from machine to machine, where its cores are on several."""
    before, runs.instance = runs.instance, runs.shared_ports
    words = ("--data-sets", 100, "--unit", "5ms")
    runs.run("ports-alone", *words, slots=None)
    for links in ("emulate", "real"):
        answer, _ = runs.run(f"ports-{links}", *words, "--links", links, slots=[3, 3, 2])
        expect(answer["hosts"] == 3 and answer["delivered"] == 100 and answer["wrong"] == 0, f"{links}: {answer}")
        expect(runs.bytes_of(f"ports-{links}") == runs.bytes_of("ports-alone"), "another journal than of one machine")
        share = answer["measured_period_decimal"] / answer["predicted_period_decimal"]
        expect(links == "real" or 0.9 < share < 1.5, f"a period of {share} times the predicted one")
        print(f"ports that processors share, {links}: {share - 1:+.2%}")
    runs.instance = before


def test_adapts(runs):
    """Routes and grants come in order where mappings change. The load comes late: what p4 does before is its normal."""
    answer, _ = runs.run("adapted", "--data-sets", 100, "--window", 10, "--adapt", "calibrate", "--load",
                         "p4:3:1s", "--unit", "1s")
    expect(answer["delivered"] == 100 and answer["wrong"] == 0 and answer["mappings"] > 1, f"{answer}")
    expect(runs.bytes_of("adapted") == runs.bytes_of("alone"), "another journal than that of one machine")


def test_programs(runs):
    """Inputs come from the first machine, the only one that has the file."""
    words = [*PROGRAMS, "--input", runs.input]
    runs.run("alone-programs", *words, *SKIP, slots=None, status=SOME_FAILED)
    runs.run("spread-programs", *words, *SKIP, status=SOME_FAILED)
    expect(runs.bytes_of("alone-programs") == runs.bytes_of("spread-programs"), "programs: another journal")
    expect(runs.results("spread-programs") == [result_of(line) for line in LINES], "programs: other results")
    # What failed runs again: numbers of data sets are those of the file.
    fixed = [*words[:5], "s4=cat", *words[6:]]
    answer, _ = runs.run("spread-programs", *fixed, "--again", "failed", "--same-journal")
    expect(answer["failed"] == 0, f"{answer}")
    expect(runs.results("spread-programs") == [f"765321{line.upper()}" for line in LINES], "again: other results")


def test_failure_is_told(runs):
    """Machines that do not have takt's folder say all the same which stage it was."""
    _, err = runs.run("stopped", *PROGRAMS, "--input", runs.input, status=RUN_FAILED)
    expect("s4, data set 7: " in err and "no 321LINE 7" in err, err)


def test_plan_elsewhere(runs):
    """Rank 0 must have takt's files, and says so."""
    launcher = runs.hosts.launcher(SLOTS).replace("host0:4,host1:4", "host1:8")
    _, err = runs.run("elsewhere", "--data-sets", 40, "--launcher", launcher, slots=None, status=RUN_FAILED)
    expect("rank 0, which must be on the machine of takt: " in err and "cannot be read" in err, err)


class Killer:
    """Kills at random moments what a run is made of, on any machine; the run ends all the same."""

    def __init__(self, runs, name, words, status, text=None):
        self.runs, self.name, self.words, self.status, self.text = runs, name, words, status, text
        self.path = runs.folder / f"killed-{name}"
        runs.run(f"whole-{name}", *words, status=status, text=text)
        self.whole = runs.bytes_of(f"whole-{name}")
        expect(status == 0 or runs.results(f"whole-{name}") == [result_of(line) for line in LINES], f"{name}: results")

    def start(self, text):
        job = self.runs.start(self.path.name, *self.words, "--retries", 3, "--same-journal", stdin=subprocess.PIPE)
        with contextlib.suppress(BrokenPipeError):
            job.stdin.write(text or "")
            job.stdin.flush()
        if text is not None:
            with contextlib.suppress(BrokenPipeError):
                job.stdin.close()
            job.stdin = None
        return job

    def victims(self, job, what):
        ranks = self.runs.ranks()
        return {"takt": [job.pid], "launcher": self.runs.named(0, "mpirun"),
                "daemon": self.runs.named(1, "orted") + self.runs.named(2, "orted"),
                "coordinator": [ranks[0]] if 0 in ranks else [],
                "rank": [process for rank, process in ranks.items() if rank > 0]}[what]

    def size(self):
        return self.path.stat().st_size if self.path.exists() else 0

    def kill_one(self, job, what):
        """False where the run was faster."""
        before = self.size()
        while job.poll() is None and self.size() <= before + 700:
            time.sleep(0.005)
        time.sleep(random.random() * 0.3)
        victims = self.victims(job, what)
        if job.poll() is not None or not victims:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(random.choice(victims), signal.SIGKILL)
            return True
        return False

    def round(self):
        """Up to two deaths of one run."""
        self.path.unlink(missing_ok=True)
        job = self.start(self.text)
        done = []
        for what in random.choices(["rank", "daemon", "launcher", "coordinator", "takt"], [4, 1, 1, 1, 1], k=2):
            if not self.kill_one(job, what):
                break
            done.append(what)
            if what == "takt":
                job.communicate()
                self.runs.expect_nobody(f"{done}")
                job = self.start(None if self.text is None else "")  # what is read waits in the spool
        out, err = job.communicate()
        expect(job.returncode == self.status, f"{self.name}, {done}: status {job.returncode}\n{out}{err}")
        expect(self.path.read_bytes() == self.whole, f"{self.name}, {done}: another journal than of an undisturbed run")
        self.runs.expect_nobody(f"{self.name}, {done}")
        return done


def test_deaths(runs, kills):
    given = [*PROGRAMS, *SKIP, "--input", runs.input]
    kinds = [Killer(runs, "emulated", ["--data-sets", 200], 0), Killer(runs, "programs", given, SOME_FAILED),
             Killer(runs, "first-free", [*given, "--order", "first-free"], SOME_FAILED),
             Killer(runs, "stream", [*PROGRAMS, *SKIP, "--input", "-", "--max-rate", "60"], SOME_FAILED,
                    "".join(line + "\n" for line in LINES))]
    killed = []
    while len(killed) < kills:
        kinds.append(kinds.pop(0))
        killed += kinds[-1].round()
    print(f"killed: {killed}; each journal has the bytes of an undisturbed run's")


def main():
    reason = machines.missing()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(machines.SKIPPED)
    takt, sources, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    random.seed(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with machines.Hosts(folder / "machines", len(SLOTS)) as hosts:
        runs = Runs(os.path.realpath(takt), sources, folder, hosts)
        for test in (test_emulated, test_who_waits, test_shared_ports, test_adapts, test_programs, test_failure_is_told,
                     test_plan_elsewhere):
            test(runs)
            runs.expect_nobody(test.__name__)
            expect(runs.files() == [set(), set(), set()], f"{test.__name__}: files are left: {runs.files()}")
        test_deaths(runs, int(sys.argv[4]) if len(sys.argv) > 4 else 3)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

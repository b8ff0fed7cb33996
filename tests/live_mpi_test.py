#!/usr/bin/env python3
"""takt run: real MPI jobs keep to the net, and lose nothing, whatever is killed.

Usage: live_mpi_test.py TAKT SOURCES [KILLS]   status 77 where there is no mpirun; KILLS in turn, default: 2
"""
import contextlib
import fractions
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import answer_schemas

# Programs started in the background of a script ignore it, and so would takt.
signal.signal(signal.SIGINT, signal.default_int_handler)

SKIPPED = 77
PATIENCE = 120
TAKT = sys.argv[1]
SOURCES = pathlib.Path(sys.argv[2])
EXAMPLE_A = SOURCES / "examples/example-a.json"
EIGHT_STAGES = SOURCES / "examples/adaptive.json"  # on ten processors; those that are left can do it, too
SEVERAL_PARTS = SOURCES / "examples/several-parts.json"
SHARED_PORTS = SOURCES / "tests/data/run-hosts.json"
CORES = SOURCES / "examples/cores.json"
WORKFLOW = SOURCES / "examples/video-analytics.json"

# What jobs leave behind stands here, so that others' do not count.
HOME = pathlib.Path(tempfile.mkdtemp(prefix="takt-live-"))
LEFT = HOME / "left"
ENVIRONMENT = {**os.environ, "TMPDIR": str(LEFT), "OMPI_MCA_btl_vader_backing_directory": str(LEFT)}


def fail(text):
    sys.exit(f"live: {text}")


def takt(*words):
    """The output of a command that answers."""
    ended = subprocess.run([TAKT, *map(str, words)], env=ENVIRONMENT, capture_output=True, text=True, check=False,
                           timeout=PATIENCE)
    if ended.returncode != 0:
        fail(f"{' '.join(map(str, words))}: status {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def run(*words, status=0):
    """What `takt run` ends with, as an object, and what it says on standard error."""
    ended = subprocess.run([TAKT, "run", *map(str, words), "--json"], env=ENVIRONMENT, capture_output=True, text=True,
                           check=False, timeout=PATIENCE)
    if ended.returncode != status:
        fail(f"run {' '.join(map(str, words))}: status {ended.returncode}\n{ended.stdout}{ended.stderr}")
    answer = json.loads(ended.stdout) if ended.stdout else None
    name = "run-adapt-all" if "all" in words and "--adapt" in words else "run"
    fault = answer_schemas.fault_of(name, answer) if answer is not None else ""
    if fault:
        fail(f"run {' '.join(map(str, words))}: {fault}")
    return answer, ended.stderr


def generated(name, *words):
    path = HOME / f"{name}.json"
    takt("generate", *words, "-o", path)
    return path


def cameras():
    """Four sources and machines of several cores, from tables to a mapping."""
    problem, mapping = HOME / "cameras.json", HOME / "mapped-cameras.json"
    tables = [word for table in ("times", "links", "sizes")
              for word in (f"--{table}", SOURCES / f"examples/cameras-{table}.csv")]
    takt("import", *tables, "--sources", "cam1,cam2,cam3,cam4", "-o", problem)
    takt("map", problem, "-o", mapping)
    return mapping


def forks_and_joins(name, ends=None):
    """A workflow of two entries and two exits, each part on two processors; processor b1 serves two parts."""
    stages = [{"name": "left", "work": 6, "output": 4}, {"name": "right", "work": 5, "output": 3, "after": []},
              {"name": "both", "work": 8, "output": 5, "after": ["left", "right"]},
              {"name": "side", "work": 3, "after": ["right"], "output": 2},
              {"name": "last", "work": 4, "output": 1, "after": ["left", "both"]}]
    served = [["a0", "a1"], ["b0", "b1"], ["c0", "c1", "c2"], ["d0", "b1"], ["e0", "e1"]]
    names = sorted({processor for part in served for processor in part})
    platform = {"processors": [{"name": each, "speed": 1} for each in names], "bandwidth": 2, **(ends or {})}
    mapping = [{"stages": [stage["name"]], "processors": part} for stage, part in zip(stages, served)]
    path = HOME / f"{name}.json"
    path.write_text(json.dumps({"application": {"input": 2, "stages": stages}, "platform": platform,
                                "mapping": mapping}))
    return path


def period_of(instance, model):
    return fractions.Fraction(json.loads(takt("evaluate", instance, "--model", model, "--json"))["period"])


def whole_unit(instance, model, seconds):
    """A time unit in which the period is about that long, and each time a whole number of nanoseconds."""
    played = takt("simulate", instance, "--model", model, "--data-sets", 60).splitlines()[1:]
    times = [fractions.Fraction(line.split(",")[k]) for line in played for k in (7, 8)]
    step = math.lcm(*(time.denominator for time in times))
    steps = max(1, round(seconds * 1e9 / float(period_of(instance, model)) / step))
    return f"{fractions.Fraction(step * steps, 10**9)}"


def keeps_to_the_net():
    """With the model's clock a run is the play of the net, line by line, and takes the exact period."""
    examples = [SOURCES / "examples" / f"{name}.json" for name in ("example-a", "weighted-round-robin", "unequal-links")]
    drawn = [generated(f"drawn-{seed}", "replicated-mapping", "--stages", 3, "--processors", processors, "--seed", seed)
             for seed, processors in ((1, 5), (2, 9))]
    trace = HOME / "trace.csv"
    cases = 0
    workflows = [WORKFLOW, forks_and_joins("several-ends"), forks_and_joins("one-end", {"source": {}, "sink": {}})]
    for instance in [*examples, SEVERAL_PARTS, SHARED_PORTS, cameras(), *drawn, *workflows]:
        for model in ("overlap", "strict"):
            answer, _ = run(instance, "--model", model, "--data-sets", 60, "--window", 60, "--anchor", "logical",
                            "--unit", whole_unit(instance, model, 0.002), "--trace-file", trace)
            if answer["delivered"] != 60 or answer["wrong"]:
                fail(f"{instance}, {model}: {answer}")
            if max(fractions.Fraction(each["predicted_utilization"]) for each in answer["resources"]) > 1:
                fail(f"{instance}, {model}: busier than all the time: {answer['resources']}")
            if abs(answer["measured_period_decimal"] / answer["predicted_period_decimal"] - 1) > 0.001:
                fail(f"{instance}, {model}: {answer['measured_period_decimal']} for {answer['predicted_period_decimal']}")
            played = takt("simulate", instance, "--model", model, "--data-sets", 60)
            if trace.read_text() != played:
                fail(f"{instance}, {model}: another trace than that of takt simulate, in {trace}")
            cases += 1
    print(f"{cases} runs by the model's clock: the plays of their nets")


def what_is_ahead_runs():
    """The advice of the example, carried out: frames that run ahead, with room for four, take what the net says."""
    ahead = HOME / "ahead.json"
    takt("evaluate", WORKFLOW, "--model", "overlap", "--ahead", "best", "-o", ahead)
    for model in ("overlap", "strict"):
        answer, _ = run(ahead, "--model", model, "--data-sets", 240, "--anchor", "logical", "--unit", "100us")
        if answer["delivered"] != 240 or answer["wrong"]:
            fail(f"what is ahead, {model}: {answer}")
        if abs(answer["measured_period_decimal"] / answer["predicted_period_decimal"] - 1) > 0.001:
            fail(f"what is ahead, {model}: {answer['measured_period_decimal']} for {answer['predicted_period_decimal']}")
    print("what is ahead runs as its net says")


def small_files_do_not_change_the_model():
    """Where sends of small files returned at once, example A would take its largest cycle time, 6.4 % less."""
    for anchor in ("agreed", "observed"):
        for attempt in range(3):
            answer, _ = run(EXAMPLE_A, "--model", "strict", "--data-sets", 120, "--bytes", 64, "--anchor", anchor)
            measured, period = answer["measured_period_decimal"], answer["predicted_period_decimal"]
            cycle = float(fractions.Fraction(answer["max_cycle_time"]))
            if abs(measured - period) < abs(measured - cycle) and measured < 1.5 * period:
                print(f"64 bytes, {anchor}: {measured / period - 1:+.2%} of the period, "
                      f"{measured / cycle - 1:+.2%} of the largest cycle time")
                break
            # A machine under load delays all.
            if measured < (period + cycle) / 2 or attempt == 2:
                fail(f"64 bytes, {anchor}: {measured}, with a period of {period} and a cycle time of {cycle}")


def all_ways_deliver():
    """Whatever stages and links do and however ranks wait: all data sets, in order, with the right content."""
    ways = [(EXAMPLE_A, "--kernel", "spin", "--wait", "poll"),
            (SEVERAL_PARTS, "--links", "real"),
            (SHARED_PORTS, "--links", "real"),
            (SHARED_PORTS, "--links", "real", "--wait", "poll"),
            (SHARED_PORTS, "--anchor", "observed"),
            (SHARED_PORTS, "--kernel", "spin", "--anchor", "observed"),
            (SOURCES / "examples/weighted-round-robin.json", "--kernel", "spin", "--links", "real"),
            (SOURCES / "examples/hedpm-case-study.json", "--anchor", "observed"),
            (SEVERAL_PARTS, "--wait", "poll", "--anchor", "observed", "--realtime", "off")]
    for k, (instance, *words) in enumerate(ways):
        model = ("overlap", "strict")[k % 2]
        journal = HOME / f"ways-{k}"
        answer, _ = run(instance, "--model", model, "--data-sets", 40, "--journal", journal,
                        "--unit", fractions.Fraction(1, 500) / period_of(instance, model), *words)
        if answer["delivered"] != 40 or answer["wrong"] or answer["journal"]["data_sets"] != 40:
            fail(f"{instance} {words}: {answer}")
    print(f"{len(ways)} ways to run: all delivered")


def cores_share_ports():
    """Machines of several cores take the exact period. Core after core in place of machine by machine it is another."""
    bunched = json.loads(CORES.read_text())
    for part, names in zip(bunched["mapping"], (("edge1", "edge2"), ("server1", "server2"))):
        cores = 4 if names[0] == "edge1" else 6
        part["processors"] = [f"{name}.{core}" for name in names for core in range(1, cores + 1)]
    core_by_core = HOME / "core-by-core.json"
    core_by_core.write_text(json.dumps(bunched))
    for instance in (CORES, core_by_core):
        for model in ("overlap", "strict"):
            for attempt in range(3):
                answer, _ = run(instance, "--model", model, "--data-sets", 150)
                measured, period = answer["measured_period_decimal"], answer["predicted_period_decimal"]
                if answer["delivered"] != 150 or answer["wrong"]:
                    fail(f"{instance}, {model}: {answer}")
                if 0.99 < measured / period < 1.1:
                    print(f"{instance.stem}, {model}: {measured / period - 1:+.2%} of {period}")
                    break
                # A machine under load delays all.
                if measured < 0.99 * period or attempt == 2:
                    fail(f"{instance}, {model}: {measured}, with a period of {period}")


def adapts():
    """With the model's clock: the trigger names the loaded processor and a data set, nothing is lost, adapting pays."""
    log, journal = HOME / "adapted.log", HOME / "adapted"
    words = (EIGHT_STAGES, "--model", "strict", "--data-sets", 60, "--window", 10, "--anchor", "logical",
             "--load", "p4:3:240ms")
    alone, _ = run(*words)
    adapted, _ = run(*words, "--adapt", "calibrate", "--adapt-rule", "paper", "--log", log, "--journal", journal)
    text = log.read_text()
    cause = re.search(r"slower_than_the_worst, [0-9.]+ ms per data set on p4, limit", text)
    slow = re.search(r"measurement point +w: s4 on p4 8[0-9.]* ms \(data set (\d+)\)", text)
    tuned = re.search(r"tuning point +mapping, from data set (\d+) on \(roll\); .*: (.*)", text)
    if not (cause and slow and tuned) or int(slow[1]) >= int(tuned[1]) or " on p4" in tuned[2]:
        fail(f"what an adaptive run says:\n{text}")
    if adapted["delivered"] != 60 or adapted["wrong"] or adapted["journal"]["data_sets"] != 60:
        fail(f"an adaptive run: {adapted}")
    if adapted["mappings"] != 2 or adapted["seconds"] > 0.7 * alone["seconds"]:
        fail(f"{adapted['seconds']} s with {adapted['mappings']} mappings, {alone['seconds']} s without adapting")
    print(f"load 3 from data set {slow[1]} on: {alone['seconds']:.2f} s, adaptive {adapted['seconds']:.2f} s")


def adapts_safely():
    """By takt's rule, with the times of an earlier run: a pair comes first, and no time is taken for a load."""
    log, normal = HOME / "safe.log", HOME / "normal.csv"
    words = (EIGHT_STAGES, "--model", "strict", "--data-sets", 60, "--window", 10, "--anchor", "logical")
    alone, _ = run(*words, "--load", "p4:3:240ms")
    calm, _ = run(*words, "--adapt", "calibrate", "--trace-file", normal, "--log", log)
    if calm["delivered"] != 60 or calm["wrong"] or "mapping, from" in log.read_text():
        fail(f"a safe run without a load: {calm}\n{log.read_text()}")
    safe, _ = run(*words, "--load", "p4:3:240ms", "--adapt", "calibrate", "--normal", normal, "--log", log)
    text = log.read_text()
    tuned = re.search(r"tuning point +mapping, from data set (\d+) on \(roll\): p4 takes ([0-9.]+) times as long "
                      r"\(evidence ([0-9.e+]+), needed 5000; \d repeated elsewhere says? ([0-9.]+)\); predicted .* ms, as it was .* ms; "
                      r"would lose 0 % if nothing had changed, [0-9.]+ periods left for losses: (.*)", text)
    if not tuned or float(tuned[3]) < 5000 or not 3.5 < float(tuned[4]) < 4.5 or " on p4" in tuned[5]:
        fail(f"what a safe run says:\n{text}")
    if safe["delivered"] != 60 or safe["wrong"] or safe["mappings"] != 2 or safe["seconds"] > 0.7 * alone["seconds"]:
        fail(f"{safe}, and {alone['seconds']} s without adapting")
    print(f"load 3, safely: {alone['seconds']:.2f} s, adaptive {safe['seconds']:.2f} s")


SLOW_STAGE = """
import sys, time
for line in sys.stdin:
    time.sleep(0.002 if int(line) % 2 else 0.006)
    sys.stdout.write(line)
    sys.stdout.flush()
"""


def repeats_programs():
    """Shadows of real programs: their inputs are handed over, their results are thrown away."""
    program = HOME / "slow_stage.py"
    program.write_text(SLOW_STAGE)
    programs = [word for k in range(8) for word in ("--program", f"s{k}={sys.executable} {program}")]
    answer, _ = run(EIGHT_STAGES, "--model", "strict", "--data-sets", 80, "--window", 10, "--records", "lines", *programs,
                    "--adapt", "calibrate", "--journal", HOME / "repeated", "--log", HOME / "repeated.log")
    lines = takt("journal", HOME / "repeated", "--cat", "--lines").splitlines()
    if answer["delivered"] != 80 or lines != [str(j) for j in range(80)]:
        fail(f"programs that are repeated: {answer}, {lines}")
    print("programs with shadows: all delivered")


def children_of(process):
    with contextlib.suppress(OSError):
        return [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return []


def rank_of(process):
    with contextlib.suppress(OSError):
        for variable in pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0"):
            name, _, value = variable.partition(b"=")
            if name == b"OMPI_COMM_WORLD_RANK":
                return int(value)
    return None


def processes_of(run_process):
    """The launcher of a run, and its ranks."""
    launchers = children_of(run_process)
    ranks = {rank_of(child): child for launcher in launchers for child in children_of(launcher)}
    ranks.pop(None, None)
    return launchers, ranks


def wait_until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            fail(f"{what}: not within {PATIENCE} s")
        time.sleep(0.005)


def size_of(path):
    return path.stat().st_size if path.exists() else 0


def files_left():
    return {path for path in LEFT.rglob("*") if not path.is_dir()}


def is_of_open_mpi(path):
    """In a folder of mpirun's own. It removes that at its end; but where processes of its job were killed it may wait for
    ever in that end (open-mpi/ompi#7790), and is ended itself."""
    return path.relative_to(LEFT).parts[0].startswith("ompi.")


SKIPPED_RESULTS = 71  # a run that ends so has data sets that failed
# The stages as programs; one of them ends with a status on some data sets, and by a signal on others.
FAILING_STAGES = ["--records", "lines", "--on-failure", "skip",
                  "--each", 's4=read -r x; case $((x % 77)) in 0|7|14|21|28|35|42|49|56|63|70) echo "no $x" >&2; '
                            'exit 5;; 11|22|33|44|55|66) kill -9 $$;; esac; printf %s "$x"']
for number in (0, 1, 2, 3, 5, 6, 7):
    FAILING_STAGES += ["--program", f"s{number}=stdbuf -oL sed s/^/{number if number else ''}/"]


def start(journal, data_sets, *words, instance=EIGHT_STAGES, unit="150ms"):
    command = [TAKT, "run", str(instance), "--model", "strict", "--unit", unit, "--data-sets", str(data_sets),
               "--journal", str(journal), "--json", *words]
    return subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Killer:
    """Kills what it is told to, somewhere on the way of a run that is to end all the same."""

    def __init__(self, data_sets, name="undisturbed", words=(), status=0, ranks=11, **what):
        self.data_sets = data_sets
        self.ranks = ranks
        self.what = what  # runs
        self.words = [*words]
        self.status = status
        self.killed = 0
        self.whole = HOME / name
        out, err = (job := start(self.whole, data_sets, *self.words, **what)).communicate()
        if job.returncode != status:
            fail(f"the undisturbed run: status {job.returncode}, expected {status}\n{out}{err}")

    def kill_one(self, job, journal, what):
        """False where the run was faster."""
        before = size_of(journal)
        wait_until(lambda: job.poll() is not None or size_of(journal) > before + 1000, "a run goes on")
        time.sleep(random.random() * 0.1)
        launchers, ranks = processes_of(job.pid)
        victims = {"takt": [job.pid], "launcher": launchers, "coordinator": [ranks[0]] if 0 in ranks else [],
                   "rank": [process for rank, process in ranks.items() if rank > 0]}[what]
        if job.poll() is not None or not victims:
            return False
        os.kill(random.choice(victims), signal.SIGKILL)
        return True

    def kill(self, whats):
        journal = HOME / "killed"
        journal.unlink(missing_ok=True)
        there = files_left()
        job = start(journal, self.data_sets, "--retries", str(len(whats)), *self.words, **self.what)
        deaths = []
        for what in whats:
            if not self.kill_one(job, journal, what):
                break
            deaths.append(what)
            if what == "takt":
                self.killed += 1
                job.communicate()
                wait_until(lambda: not self.is_at_work(), "the processes of a run that was killed end")
                for folder in LEFT.glob("takt-run-*"):  # which only takt itself could remove
                    shutil.rmtree(folder)
                job = start(journal, self.data_sets, "--retries", str(len(whats)), *self.words, **self.what)
                deaths = []
        out, err = job.communicate(timeout=PATIENCE)
        if job.returncode != self.status:
            fail(f"{whats}: status {job.returncode}\n{out}{err}")
        self.check(whats, journal, json.loads(out), deaths)
        left = {path for path in files_left() - there if not is_of_open_mpi(path)}
        if self.is_at_work() or any(LEFT.glob("takt-run-*")) or left:
            fail(f"{whats}: left are {left}")

    def check(self, whats, journal, answer, deaths):
        """Whoever dies in the last moment is not missed."""
        restarts = answer["restarts"]
        left_out = [restart["processor"] for restart in restarts if restart["processor"]]
        if len(restarts) < len(deaths) - 1 or len(left_out) != deaths[:len(restarts)].count("rank"):
            fail(f"{whats}: {restarts}")
        if answer["ranks"] > self.ranks - len(left_out):
            fail(f"{whats}: {answer['ranks']} ranks without {left_out}")
        if journal.read_bytes() != self.whole.read_bytes():
            fail(f"{whats}: another journal than that of an undisturbed run")
        takt("journal", journal)
        self.killed += len(restarts)

    def is_at_work(self):
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and str(LEFT).encode() in (entry / "cmdline").read_bytes():
                    return True
        return False


def nothing_is_lost(killer, kills, rounds=(["rank", "rank"], ["launcher", "takt"], ["coordinator", "rank"],
                                           ["takt", "rank"])):
    while killer.killed < kills:
        killer.kill(random.choice(rounds) if killer.killed >= 4 else rounds[min(killer.killed // 2, 1)])
    print(f"{killer.killed} processes killed: each journal has the bytes of an undisturbed run's")


def journals_are_minded(killer):
    """Torn, foreign, complete."""
    whole = killer.whole.read_bytes()
    torn = HOME / "torn"
    torn.write_bytes(whole[:-700])
    answer, err = run(EIGHT_STAGES, "--model", "strict", "--unit", "150ms", "--data-sets", killer.data_sets,
                      "--journal", torn)
    if "torn record at the end" not in err or answer["delivered"] != 1 or torn.read_bytes() != whole:
        fail(f"torn journal: {answer}\n{err}")
    answer, _ = run(EIGHT_STAGES, "--model", "strict", "--data-sets", killer.data_sets, "--journal", torn)
    if answer["delivered"] != 0 or answer["journal"]["data_sets"] != killer.data_sets or torn.read_bytes() != whole:
        fail(f"complete journal: {answer}")
    _, err = run(SEVERAL_PARTS, "--model", "strict", "--journal", torn, status=3)
    if "a journal of another pipeline" not in err or torn.read_bytes() != whole:
        fail(f"foreign journal: {err}")
    print("journals: torn, complete, foreign")


def ends_when_told(killer):
    """No process, no file is left; and the same command goes on. (Open MPI lets processes be for a second.)"""
    data_sets = 3 * killer.data_sets
    journal = HOME / "interrupted"
    for number in (signal.SIGINT, signal.SIGTERM):
        there = files_left()
        job = start(journal, data_sets)
        before = size_of(journal)
        wait_until(lambda: job.poll() is not None or size_of(journal) > before + 1000, "a run goes on")
        job.send_signal(number)
        _, err = job.communicate(timeout=PATIENCE)
        if job.returncode != 4 or "the same command continues" not in err:
            fail(f"signal {number}: status {job.returncode}\n{err}")
        if killer.is_at_work() or files_left() - there:
            fail(f"signal {number}: left are {files_left() - there}")
    job = start(journal, data_sets)
    out, err = job.communicate(timeout=PATIENCE)
    if job.returncode != 0 or json.loads(out)["journal"]["data_sets"] != data_sets:
        fail(f"a run that goes on after signals: status {job.returncode}\n{out}{err}")
    if not journal.read_bytes().startswith(killer.whole.read_bytes()):
        fail("a run that goes on after signals: another journal")
    print("interrupted twice, gone on")


def meets_or_ends(killer):
    """A rank that never meets the others: mpirun alone would wait for ever."""
    late = HOME / "late.sh"
    late.write_text('[ "$OMPI_COMM_WORLD_RANK" = 2 ] && exec sleep 1000\nexec "$@"\n')
    launcher = HOME / "launcher.sh"
    launcher.write_text(f'exec mpirun --oversubscribe --bind-to none -n "$2" sh {late} "$3" "$4"\n')
    _, err = run(EXAMPLE_A, "--model", "strict", "--launcher", f"sh {launcher}", "--start-limit", "2s", status=70)
    if "had not all begun after 2 s" not in err or killer.is_at_work():
        fail(f"a rank that does not begin: {err}")
    print("a job that does not begin is ended")


def main():
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun")
        sys.exit(SKIPPED)
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    random.seed(1)
    LEFT.mkdir()
    keeps_to_the_net()
    what_is_ahead_runs()
    small_files_do_not_change_the_model()
    all_ways_deliver()
    cores_share_ports()
    adapts()
    adapts_safely()
    repeats_programs()
    killer = Killer(300)
    nothing_is_lost(killer, kills)
    nothing_is_lost(Killer(300, "failing", FAILING_STAGES, SKIPPED_RESULTS), kills)
    # Heuristics take chains: those of each part that are left go on.
    workflow = Killer(300, "workflow", ranks=11, instance=forks_and_joins("killed"), unit="1ms")
    nothing_is_lost(workflow, kills, (["rank"], ["launcher", "takt"], ["coordinator", "rank"], ["takt", "rank"]))
    journals_are_minded(killer)
    ends_when_told(killer)
    meets_or_ends(killer)
    # A launcher that is killed itself leaves its files, takt its folder.
    shutil.rmtree(HOME)


try:
    main()
finally:
    shutil.rmtree(HOME, ignore_errors=True)

#!/usr/bin/env python3
"""Every command on large inputs keeps its limits: one second of time, of CPU at most two, and 64 MiB.

Usage: limits_check.py TAKT FOLDER [all | SCALE]   all: inputs in full; else divided by SCALE, nothing measured

Makes the inputs in FOLDER, then runs each command of `takt --help` but those that start other programs with
"--time-limit 1s", and "--max-memory 64" where there is that option. Each answers, says no, or names a limit. A command
without a case here fails. CPU and memory are those of the process itself, so that other work does not count. Memory
beyond the limit: what the program takes without an instance, a share for the text and the tree of its inputs, 64 MiB;
and for plan its table of times, which has an entry for each interval of stages on each type.
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys

EXCLUDED = {"run", "probe", "completion"}  # these start other programs, or print a constant
MEBIBYTE = 1 << 20
MOST_SECONDS = 2.0
LIMIT_MEMORY = 64 * MEBIBYTE
MORE_MEMORY = 64 * MEBIBYTE
TREE = 24  # bytes of memory for a byte of JSON: names, numbers as fractions
ENTRY = 96  # bytes of the planner's table for an interval and a type: a fraction
ALLOWED = {0, 1, 4}  # answered, no, a limit


class Maker:
    """Large inputs of every kind, the same for the same scale."""

    def __init__(self, folder, scale):
        self.folder = folder
        self.scale = scale
        self.draw = random.Random(1)

    def less(self, count, least=2):
        return max(count // self.scale, least)

    def save(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def number(self, low, high, is_fraction):
        if not is_fraction:
            return self.draw.randint(low, high)
        return f"{self.draw.randint(low, high * 1000)}/{self.draw.choice([997, 991, 983, 977, 971])}"

    def stages(self, count):
        return [
            {"name": f"S{i}", "work": self.draw.randint(1, 100), "output": self.draw.randint(1, 100)}
            for i in range(count)
        ]

    def catalogue(self, name, stages, types, is_hard):
        listed = [
            {
                "name": f"t{t}",
                "speed": self.number(1, 9, is_hard),
                "price": self.number(1, 20, is_hard),
                "bandwidth": self.number(5, 40, is_hard),
                **({"count": self.draw.randint(2, 30)} if is_hard else {}),
            }
            for t in range(self.less(types))
        ]
        ends = {"source": {"bandwidth": 1000}, "sink": {"bandwidth": 1000}}
        application = {"stages": self.stages(self.less(stages)), "input": 5}
        return self.save(name, {"application": application, "platform": {"types": listed, **ends}})

    def problem(self, name, stages, processors, has_links):
        count = self.less(processors)
        listed = [
            {"name": f"P{i}", "speed": self.draw.randint(1, 20), "price": self.draw.randint(1, 9)} for i in range(count)
        ]
        platform = {"processors": listed, "bandwidth": 10}
        if has_links:
            platform["links"] = [
                {"from": f"P{a}", "to": f"P{b}", "bandwidth": self.draw.randint(1, 40)}
                for a in range(count)
                for b in range(a)
            ]
        return self.save(name, {"application": {"stages": self.stages(self.less(stages))}, "platform": platform})

    def instance(self, name, lengths):
        lengths = [self.less(length, 1) for length in lengths]
        first = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
        processors = [{"name": f"P{k}", "speed": 1 + k % 7} for k in range(first[-1])]
        mapping = [
            {"stages": [f"S{i}"], "processors": [f"P{k}" for k in range(first[i], first[i + 1])]}
            for i in range(len(lengths))
        ]
        platform = {"processors": processors, "bandwidth": 10}
        application = {"name": name, "stages": self.stages(len(lengths))}
        return self.save(name, {"application": application, "platform": platform, "mapping": mapping,
                                "predicted_period": 1})

    def grown(self, kind, size):
        """A document of one dimension: all others are small."""
        count = self.less(size)
        stages = [{"name": f"s{i}", "work": 1 + i % 7, "output": 1 + i % 3} for i in range(3)]
        machines = [{"name": f"p{i}", "speed": 1 + i % 3} for i in range(4)]
        turns = [["p0"], ["p1"], ["p2"]]
        if kind == "machines":  # one entry for all
            stages = [{"name": f"s{i}", "time": {"p": f"{i + 1} s"}} for i in range(2)]
            document = {"application": {"stages": stages},
                        "platform": {"types": [{"name": "p", "count": count}], "time": "1 s"}}
            return self.save("machines.json", document)
        if kind == "cores":
            machines[1]["cores"] = count
        elif kind == "turns":
            turns[1] = ["p1"] * count + ["p3"]
        elif kind == "batches":
            turns[1] = [{"processor": "p1", "batch": count}]
        elif kind == "partitions":
            stages[1]["partitions"] = count
        elif kind == "digits":
            stages[1]["work"] = 10 ** min(count, 900) + 1
        elif kind == "dense":
            count = min(count, 60)
            stages = [{"name": f"s{i}", "work": 1 + i % 7, "output": 1, "after": [f"s{j}" for j in range(i)]}
                      for i in range(count)]
        else:
            stages = [{"name": f"s{i}", "work": 1 + i % 7, "output": 1 + i % 3} for i in range(count)]
        if kind in ("dense", "chain"):
            machines = [{"name": f"p{i}", "speed": 1 + i % 3} for i in range(count)]
            turns = [[f"p{i}"] for i in range(count)]
        elif kind == "two":
            turns = [[f"p{i % 2}"] for i in range(count)]
        mapping = [{"stages": [stage["name"]], "processors": list_} for stage, list_ in zip(stages, turns)]
        return self.save(kind + ".json", {"application": {"stages": stages}, "mapping": mapping,
                                          "platform": {"processors": machines, "bandwidth": 10}, "predicted_period": 1})

    def graph(self, name, vertices, arcs, is_hard):
        count = self.less(vertices)
        lines = [
            f"v{self.draw.randrange(count)} v{self.draw.randrange(count)} "
            f"{self.number(1, 10**6, False)}{'/' + str(self.draw.randint(1, 10**6)) if is_hard else ''} "
            f"{self.draw.randint(1, 3)}\n"
            for _ in range(self.less(arcs))
        ]
        return self.save(name, "".join(lines))

    def dimacs(self, name, vertices, arcs):
        count, many = self.less(vertices), self.less(arcs)
        lines = [f"p sp {count} {many}\n"]
        for _ in range(many):
            lines.append(f"a {self.draw.randint(1, count)} {self.draw.randint(1, count)} {self.draw.randint(1, 999)}\n")
        return self.save(name, "".join(lines))

    def nested(self, name, depth):
        return self.save(name, "[" * self.less(depth) + "]" * self.less(depth))

    def tables(self, stages, processors):
        stages, processors = self.less(stages), self.less(processors)
        times = "".join(f"S{i},P{k},{self.draw.randint(1, 99)}ms\n" for i in range(stages) for k in range(processors))
        links = "".join(f"P{a},P{b},{self.draw.randint(1, 99)}MB/s\n" for a in range(processors) for b in range(processors) if a != b)
        sizes = "".join(f"S{i},{self.draw.randint(1, 99)}kB\n" for i in range(stages))
        return [
            "--times", self.save("times.csv", "stage,processor,time\n" + times),
            "--links", self.save("links.csv", "from,to,bandwidth\n" + links),
            "--sizes", self.save("sizes.csv", "stage,output\n" + sizes),
        ]  # fmt: skip


def cases(make, heuristics, takt):
    """By command, lists of arguments behind it; time limits are added where the command has the option."""
    catalogues = [
        make.catalogue("cat30x12.json", 30, 12, True),
        make.catalogue("cat100x40.json", 100, 40, False),
        make.catalogue("cat300x100.json", 300, 100, True),
    ]
    problems = [
        make.problem("problem20x40.json", 20, 40, False),
        make.problem("problem40x200.json", 40, 200, True),
        make.problem("problem400x1000.json", 400, 1000, False),
    ]
    instances = [
        make.instance("rows.json", [97, 101, 1]),
        make.instance("many-rows.json", [16, 15, 7, 11, 13]),
        make.instance("parts.json", [1] * make.less(2000)),
        make.instance("wide.json", [500, 1, 500, 1, 500]),
        make.instance("primes.json", [31, 37, 41, 43, 47, 53]),
        make.instance("million-rows.json", [5, 7, 8, 9, 11, 13, 17]),
    ]
    graphs = [
        make.graph("dense.graph", 60_000, 300_000, False),
        make.graph("fractions.graph", 20_000, 20_000, True),
        make.graph("long.graph", 400_000, 1_000_000, False),
        make.dimacs("dimacs.graph", 100_000, 500_000),
    ]
    hostile = make.nested("nested.json", 1_000_000)
    trace = str(make.folder / "trace.csv")
    subprocess.run([takt, "simulate", instances[2], "--model", "strict", "--data-sets", "20", "-o", trace], check=True,
                   capture_output=True)
    certificate = str(make.folder / "certificate.json")
    subprocess.run([takt, "evaluate", instances[2], "--model", "strict", "--certificate", certificate], check=True,
                   capture_output=True)
    arrivals = make.save("arrivals.csv", "".join(f"{i}\n" for i in range(make.less(50_000))))
    rubbish = make.save("rubbish", "takt" * make.less(10_000_000))
    out = str(make.folder / "out")
    grown = [
        make.grown(kind, size)
        for kind, size in (("cores", 4096), ("turns", 2000), ("batches", 2000), ("partitions", 100_000),
                           ("digits", 900), ("dense", 3000), ("chain", 1600), ("two", 400))  # fmt: skip
    ]
    machines, cores, chain = make.grown("machines", 20_000), grown[0], grown[-2]
    types = make.catalogue("types.json", 8, 200, False)
    if make.scale > 1:
        del grown[2:-2]
    each = [[file, "--model", "strict" if k % 2 else "overlap"] for k, file in enumerate(grown)]
    models = ["--model", "overlap"], ["--model", "strict"]
    both = [[file, *model] for file in instances for model in models]
    bounds = ["--period", "3"], ["--rate", "1"], ["--rate", "1", "--frontier"], ["--budget", "100"]
    return {
        "evaluate": [*both, [hostile]]
        + [[file, "--model", "bounded"] for file in instances]
        + [[*b, *more] for b in both for more in (["--window", "5"], ["--certificate", out], ["--json"])]
        + [[*b, *more] for b in each for more in ([], ["--ahead", "best"])],
        "sensitivity": both + each,
        "vary": [[*b, "--law", "lognormal:0.5", *more] for b in both
                 for more in ([], ["--windows", "50,100"], ["--beside", b[0]], ["--arrivals", arrivals])]
        + [[*b, "--law", "lognormal:0.5"] for b in each],
        "simulate": [[*b, "--data-sets", "20", "-o", out + ".csv"] for b in both]
        + [[*b, "--completion", "1000000007"] for b in both],
        "rooms": [[file] for file in instances + grown],
        "cycle-ratio": [[graph, "--solver", solver] for graph in graphs for solver in ("howard", "burns", "karp")],
        "report": [[*b, "-o", out + ".html"] for b in both + each],
        "gantt": [[*b, "-o", out + ".svg"] for b in both + each],
        "dot": [[*b, "-o", out + ".dot"] for b in both + each],
        "export": [[*b, "--to", to, "-o", out] for b in both + each for to in ("pnml", "csdf")],
        "map": [[machines], [chain, "--heuristic", "all"], [cores, "--heuristic", "polish"]]
        + [[problems[0], "--heuristic", name] for name in heuristics]
        + [[problem, "--heuristic", name] for problem in problems[1:] for name in ("polish", "exhaustive", "all", "hedpm")],
        "plan": [[c, *bound, *m] for c in catalogues for bound in bounds for m in models]
        + [[p, "--period", "3", "--model", "strict"] for p in problems]
        + [[types, "--rate", "1", *more] for more in (["--upgrade"], ["--losses"], ["--among", "mixed"])]
        + [[chain, "--period", "3"]],
        "heuristics": [[]],
        "import": [make.tables(40, 300)],
        "check": [[instances[2], certificate], [graphs[0], rubbish]],
        "verify": [[file] for file in instances + grown],
        "measure": [[instances[2], trace, "--model", "strict"]],
        "journal": [[rubbish]],
        "compare": [[problem, "--heuristics", "polish,greedy"] for problem in problems]
        + [[file, "--heuristics", "greedy"] for file in grown],
        "experiment": [["list"], ["show", "skeletons-e1"]],
        "generate": [["replicated-mapping", "--stages", "20", "--processors", str(make.less(1000, 20))]],
        "generators": [[]],
    }  # fmt: skip


def commands(takt):
    text = subprocess.run([takt, "--help"], check=True, capture_output=True, text=True).stdout
    listed = text[text.index("\nAsk:") : text.index("\nTo start with:")]
    return [match.group(1) for match in re.finditer(r"^  ([a-z-]+) {2,}\S", listed, re.MULTILINE)]


def options_of(takt, command):
    return subprocess.run([takt, command, "--help"], check=True, capture_output=True, text=True).stdout


def measured(arguments, folder):
    """Status, CPU seconds, peak bytes and what was said, of one process."""
    said = folder / "said.txt"
    with open(said, "wb") as errors, open(os.devnull, "wb") as nothing:
        process = subprocess.Popen(arguments, stdout=nothing, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    text = said.read_text(encoding="utf-8", errors="replace")
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text


def most_seconds(arguments):
    """The limit of takt compare is for each heuristic."""
    if arguments[0] != "compare":
        return MOST_SECONDS
    return MOST_SECONDS * len(arguments[arguments.index("--heuristics") + 1].split(","))


def table_bytes(arguments):
    """How far the planner's table fills within a second depends on the machine: all of it is allowed."""
    if arguments[0] != "plan":
        return 0
    document = json.loads(pathlib.Path(arguments[1]).read_text(encoding="utf-8"))
    stages = len(document["application"]["stages"])
    return ENTRY * stages * (stages + 1) // 2 * len(document["platform"].get("types", []))


def judge(takt, arguments, folder, base, is_measured):
    status, seconds, memory, said = measured([takt, *arguments], folder)
    size = sum(os.path.getsize(a) for a in arguments[1:] if os.path.isfile(a) and not a.startswith(str(folder / "out")))
    most = base + LIMIT_MEMORY + MORE_MEMORY + TREE * size + table_bytes(arguments)
    faults = []
    is_refusal = status == 3 and said.startswith("takt: ") and said.count("\n") == 1
    if status not in ALLOWED and not is_refusal:
        faults.append(f"status {status}: {said.strip()[-200:]}")
    if is_measured and seconds > most_seconds(arguments):
        faults.append(f"{seconds:.1f} s of CPU")
    if is_measured and memory > most:
        faults.append(f"{memory / MEBIBYTE:.0f} MiB, at most {most / MEBIBYTE:.0f}")
    return faults


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    takt, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    is_measured = sys.argv[3] == "all"
    folder.mkdir(parents=True, exist_ok=True)
    text = subprocess.run([takt, "heuristics", "--json"], check=True, capture_output=True, text=True).stdout
    heuristics = [heuristic["name"] for heuristic in json.loads(text)]
    table = cases(Maker(folder, 1 if is_measured else int(sys.argv[3])), heuristics, takt)
    _, _, base, _ = measured([takt, "--version"], folder)
    failed = 0
    ran = 0
    for command in commands(takt):
        if command in EXCLUDED:
            continue
        help_text = options_of(takt, command)
        limits = [
            text
            for option, text in (("--time-limit TIME", "--time-limit=1s"), ("--max-memory", "--max-memory=64"))
            if option in help_text
        ]
        if not table.get(command):
            print(f"{command}: no case")
            failed += 1
        for arguments in table.get(command, []):
            ran += 1
            # The limit of simulate is for --completion.
            given = [] if command == "simulate" and "--completion" not in arguments else limits
            for fault in judge(takt, [command, *arguments, *given], folder, base, is_measured):
                failed += 1
                shown = " ".join(pathlib.Path(a).name if "/" in a else a for a in [command, *arguments, *given])
                print(f"{shown}: {fault}", flush=True)
    print(f"{ran} command lines, {failed} faults")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

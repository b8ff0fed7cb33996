#!/usr/bin/env python3
"""Operations per second of one core: takt vary, SimGrid's S4U and SimPy, playing the same nets.

Usage: simulators.py TAKT S4U_PEER SOURCE_FOLDER WORK_FOLDER

S4U_PEER is the program that tests/peers builds where libsimgrid-dev is installed; SimPy is python3-simpy3. Each plays as
many data sets as take it some seconds. With constant times all must give the period that takt evaluate proves; with
exponential ones their periods stand beside each other.
"""
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import time

import simpy

CASES = [("examples/example-a.json", "overlap"), ("examples/example-a.json", "strict"),
         ("examples/video.json", "overlap")]


class Net:
    """The operations of a chain in rounds: who does what, for how long, after which everything repeats."""

    def __init__(self, columns):
        names = sorted({name for _, sequence in columns.parts for name in sequence})
        number = {name: k for k, name in enumerate(names)}
        self.model, self.processors, self.rows = columns.model, len(names), columns.rows
        self.columns = [[(number[columns.processor(c // 2, j)], number[columns.processor((c + 1) // 2, j)],
                          float(duration)) for j, duration in enumerate(column)]
                        for c, column in enumerate(columns.durations)]

    def on(self, c, j):
        return self.columns[c][j % len(self.columns[c])]

    def drawn(self, law, data_sets, seed):
        """A duration for each operation."""
        luck = random.Random(seed)
        factor = (lambda: 1.0) if law == "constant" else (lambda: luck.expovariate(1))
        return [[self.on(c, j)[2] * factor() for j in range(data_sets)] for c in range(len(self.columns))]


def simpy_play(net, durations):
    """A process for each processor (STRICT), or for its receptions, computations and sendings; the ends of deliveries."""
    data_sets = len(durations[0])
    env = simpy.Environment()
    columns = range(len(net.columns))
    here = [[env.event() for _ in range(data_sets)] for _ in columns]  # the sender has come, or a computation is done
    there = [[env.event() for _ in range(data_sets)] for _ in columns]  # the receiver has come
    arrived = [[env.event() for _ in range(data_sets)] for _ in columns]
    ends = [0.0] * data_sets

    def work(processor, receives, computes, sends):
        for j in range(data_sets):
            for c in columns:
                sender, receiver, _ = net.on(c, j)
                if c % 2 == 0:
                    if not computes or sender != processor:
                        continue
                    if c > 0 and net.on(c - 1, j)[0] != net.on(c - 1, j)[1]:
                        yield arrived[c - 1][j]
                    if durations[c][j] > 0:
                        yield env.timeout(durations[c][j])
                    ends[j] = env.now
                    here[c][j].succeed()
                elif sender != receiver and (sends and sender == processor or receives and receiver == processor):
                    is_sender = sends and sender == processor
                    if is_sender:
                        yield here[c - 1][j]
                    (here if is_sender else there)[c][j].succeed()
                    yield here[c][j] & there[c][j]
                    if durations[c][j] > 0:
                        yield env.timeout(durations[c][j])
                    if not is_sender:
                        arrived[c][j].succeed()

    for processor in range(net.processors):
        kinds = [(True, True, True)] if net.model == "strict" else [(True, False, False), (False, True, False),
                                                                    (False, False, True)]
        for kind in kinds:
            env.process(work(processor, *kind))
    env.run()
    return ends


def s4u_play(peer, net, durations, path):
    """The same by actors."""
    data_sets = len(durations[0])
    scale = 2.0**40 / sum(map(max, durations)) / data_sets
    lines = [f"{net.model} {data_sets}", f"{net.processors} {len(net.columns)}"]
    for c, column in enumerate(durations):
        lines.append(str(data_sets))
        lines += [f"{net.on(c, j)[0]} {net.on(c, j)[1]} {round(duration * scale)}"
                  for j, duration in enumerate(column)]
    path.write_text("\n".join(lines) + "\n")
    started = time.perf_counter()
    text = subprocess.run([peer, path], check=True, capture_output=True, text=True).stdout
    seconds = time.perf_counter() - started
    ends = [0.0] * data_sets
    for line in text.splitlines():
        j, _, end = line.split()
        ends[int(j)] = max(ends[int(j)], float(end) / scale)
    return ends, seconds


def period_of(ends):
    """The mean growth behind the first fifth."""
    done = list(itertools.accumulate(ends, max))
    first = len(done) // 5
    return (done[-1] - done[first - 1]) / (len(done) - first)


def takt_play(takt, path, model, law, columns, data_sets):
    """Operations per second, and the period with its margin: the saturated net, then one rate."""
    copies = 16
    command = [takt, "vary", path, "--model", model, "--law", law, "--copies", str(copies), "--data-sets", str(data_sets),
               "--rate", RATES[path.name, model], "--json"]
    started = time.perf_counter()
    text = subprocess.run(command, check=True, capture_output=True, text=True,
                          env=os.environ | {"OMP_NUM_THREADS": "1"}).stdout
    seconds = time.perf_counter() - started
    found = json.loads(text)[0]["expected_period"] if text.lstrip().startswith("[") else json.loads(text)["expected_period"]
    return 2 * copies * data_sets * columns / seconds, found["estimated"], found["margin"]


# Far below what each sustains.
RATES = {("example-a.json", "overlap"): "1/400", ("example-a.json", "strict"): "1/600", ("video.json", "overlap"): "60/s"}


def main(takt, peer, source, work):
    source, work = pathlib.Path(source), pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(source / "tests"))
    from second_checker import Columns, parse  # noqa: PLC0415
    print("| net | times | takt vary | SimGrid S4U | SimPy | takt / S4U | takt / SimPy |")
    print("|---|---|---|---|---|---|---|")
    for name, model in CASES:
        path = source / name
        net = Net(Columns(parse(path), model))
        for law in ("constant", "exponential"):
            rate, period, margin = takt_play(takt, path, model, law, len(net.columns), 200_000)
            durations = net.drawn(law, 20_000, 1)
            operations = len(durations) * len(durations[0])
            ends, s4u_seconds = s4u_play(peer, net, durations, work / "plan.txt")
            started = time.perf_counter()
            simpy_ends = simpy_play(net, durations)
            simpy_seconds = time.perf_counter() - started
            worst = max(abs(a - b) for a, b in zip(ends, simpy_ends)) / max(ends)
            if worst > 1e-6:
                sys.exit(f"{name}, {model}, {law}: S4U and SimPy are {worst} apart")
            others = period_of(simpy_ends)
            if abs(others - period) > (1e-3 if law == "constant" else 0.05) * period + margin:
                sys.exit(f"{name}, {model}, {law}: SimPy's period is {others}, takt's {period} +- {margin}")
            s4u, slow = operations / s4u_seconds, operations / simpy_seconds
            print(f"| {path.stem}, {model} | {law} | {rate / 1e6:.3g} M/s | {s4u / 1e6:.3g} M/s | {slow / 1e6:.3g} M/s | "
                  f"{rate / s4u:.3g} | {rate / slow:.3g} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])

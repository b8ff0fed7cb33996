#!/usr/bin/env python3
"""What takt plan finds on machines with names, and how far that is from what is proved.

Usage: named_plans.py TAKT [MACHINES [SECONDS]]

Draws MACHINES (default: 60) of a dozen speeds, each 5 % to either side at times, with prices of their own; links all of 10 Gbit/s, or
ports of 1, 2.5 and 10 Gbit/s. A pipeline of five stages, the last of which is not replicable. For each seed and rate `takt plan
--time-limit SECONDS` (default: 20), its price, the bound of every mapping that it proves, and the gap between them.
"""
import fractions
import json
import random
import subprocess
import sys
import time

STAGES = [("read", 4e6, 2e6), ("clean", 22e6, 2e6), ("features", 60e6, 5e5), ("model", 90e6, 1e4), ("rank", 12e6, 1e4)]
SPEEDS = [1, 1.2, 1.5, 1.7, 2, 2.2, 2.6, 3, 3.3, 3.8, 4.1, 4.7]  # GFLOP/s
SHADES = [1, 1, 1, 0.9, 0.95, 1.05]
PORTS = ["1 Gbit/s", "2.5 Gbit/s", "10 Gbit/s"]
QUESTIONS = [(seed, has_ports, rate) for seed in (7, 8, 9) for has_ports in (False, True) for rate in (100, 200, 300)]


def problem(machines, seed, has_ports):
    luck = random.Random(seed)
    stages = [{"name": name, "work": work, "output": output} for name, work, output in STAGES]
    stages[-1]["replicable"] = False
    processors = []
    for k in range(machines):
        speed = luck.choice(SPEEDS) * 1e9 * luck.choice(SHADES)
        machine = {"name": f"n{k + 1:02d}", "speed": f"{speed:.0f}/s",
                   "price": round(0.02 + speed / 1e9 * 0.04 * luck.uniform(0.7, 1.4), 3)}
        if has_ports:
            machine["bandwidth"] = luck.choice(PORTS)
        processors.append(machine)
    platform = {"processors": processors, "currency": "EUR/h"}
    if not has_ports:
        platform["bandwidth"] = "10 Gbit/s"
    return {"application": {"name": "stream", "stages": stages}, "platform": platform}


def main():
    takt = sys.argv[1]
    machines = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 20
    print("| seed | links | rate | price | proved | gap | seconds |")
    print("|---|---|---|---|---|---|---|")
    for seed, has_ports, rate in QUESTIONS:
        begin = time.monotonic()
        told = subprocess.run([takt, "plan", "-", "--rate", f"{rate}/s", "--time-limit", str(seconds), "--json"],
                              input=json.dumps(problem(machines, seed, has_ports)), capture_output=True, text=True)
        answer = json.loads(told.stdout)
        links = "ports of 1, 2.5, 10" if has_ports else "equal"
        if not answer["found"]:
            print(f"| {seed} | {links} | {rate}/s | none | | | {time.monotonic() - begin:.1f} |")
            continue
        price = fractions.Fraction(answer["cost"])
        proved = max(fractions.Fraction(bound["cost_lower_bound"]) for bound in answer["bounds"][-1:])
        gap = float(price / proved - 1) * 100
        print(f"| {seed} | {links} | {rate}/s | {float(price):.3f} | {float(proved):.3f} | {gap:.1f} % "
              f"| {time.monotonic() - begin:.1f} |")


if __name__ == "__main__":
    main()

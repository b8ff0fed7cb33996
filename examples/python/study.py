# %% [markdown]
# What does a fair share cost? A hundred random pipelines, a heuristic of one's own beside two of takt's.
# A notebook as a script. It takes Debian's python3-pandas, python3-matplotlib and gnuplot-nox.

# %%
import multiprocessing
from typing import Dict, List, Tuple

import matplotlib
import pandas
import takt

matplotlib.use("Agg")
Mapping = List[Tuple[int, List[int]]]

# %% As many stages for each of the processors that would be the fastest alone
def fair_share(evaluator: takt.Evaluator) -> Mapping:
    speeds = [(evaluator.period([(len(evaluator.stages), [p])]), p) for p in range(len(evaluator.processors))]
    fastest = [processor for _, processor in sorted(speeds)][: len(evaluator.stages)]
    share = -(-len(evaluator.stages) // len(fastest))
    starts = range(0, len(evaluator.stages), share)
    return [(min(share, len(evaluator.stages) - start), [fastest[i]]) for i, start in enumerate(starts)]


# %% A process for each problem: its mappings, evaluated
def mapped(seed: int) -> Dict[str, takt.Result]:
    problem = takt.generate("skeleton-pair", seed=seed, stages=4 + seed % 5, processors=5)
    return {
        "fair share": takt.evaluate(takt.map(problem, fair_share, model="strict")),
        "bsc": takt.evaluate(takt.map(problem, "bsc", model="strict")),
        "polish": takt.evaluate(takt.map(problem, "polish", model="strict", moves=2000, seed=seed)),
    }


# %% All of it as a data frame, a row for each result
if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        answers = pool.map(mapped, range(100))
    frames = {name: takt.to_pandas(one[name] for one in answers) for name in answers[0]}
    frame = pandas.concat(frames, names=["heuristic", "seed"])
    print(frame.groupby("heuristic").period.describe().round(2))

    # %% How far above the best, and how often a resource is critical
    ratios = frame.period.unstack("heuristic").pipe(lambda periods: periods.div(periods.min(axis=1), axis=0))
    critical = frame.has_critical_resource.groupby("heuristic").mean()
    print(ratios.mean().round(3).to_dict(), critical.to_dict())

    # %% A plot, and the worst case as a drawing
    ratios.plot.box(ylabel="period / best period").figure.savefig("study.png")
    worst = answers[ratios["fair share"].idxmax()]["fair share"]
    worst.net.save("study.svg")
    print(f"worst: period {worst.period}, bottleneck {worst.bottleneck.processor}")

    # %% The same as an experiment over other draws: a figure and a table for a paper
    draws = {"name": "fair", "study": "heuristics", "models": ["strict"], "heuristics": ["bsc"],
             "generator": {"name": "skeleton-pair", "processors": 5}, "grid": {"stages": [4, 8], "draws": 50},
             "report": [{"kind": "table", "columns": [{"mean": "period"}]},
                        {"kind": "profile", "name": "fair", "y": {"values": "period"}}]}
    takt.experiment(draws, "run", heuristics={"fair share": fair_share}, jobs=2)
    print(takt.experiment_figures("run", format="pdf"), takt.experiment_report("run", "latex", figures="run/figures"))

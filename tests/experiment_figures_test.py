#!/usr/bin/env python3
"""Performance profiles, ranks and boxes of a seeded run against a computation from its rows alone.

Usage: experiment_figures_test.py TAKT FOLDER
Ratios, ranks, shares and quartiles are exact here as there. p-values and critical differences are those of SciPy, where
it is; what is exact of Wilcoxon's test is counted here in any case.
"""
import csv
import fractions
import io
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

try:
    import scipy.stats
except ImportError:
    scipy = None

Fraction = fractions.Fraction
SEED = 20020101
HEURISTICS = ["spl", "bsl", "bsc", "homogeneous-dp", "hedpm", "random"]
DRAWS = 60  # of each of the four cells
LEVEL = 0.05


def description():
    values = {"values": "period", "model": "strict"}
    return {
        "name": "figures",
        "seed": SEED,
        "study": "heuristics",
        # Few different numbers, so that there are ties; homogeneous-dp refuses unequal processors.
        "generator": {"name": "skeleton-pair", "processors": 6, "works": [1, 4], "sizes": [1, 3], "speeds": [1, 2]},
        "grid": {"draws": DRAWS, "stages": [5, 9], "machines": ["identical", "related"]},
        "heuristics": HEURISTICS,
        "models": ["strict"],
        "measures": ["period"],
        "report": [
            {"kind": "profile", "name": "profile", "y": values},
            {"kind": "profile", "name": "profile-panels", "facet": "machines", "y": values},
            {"kind": "rank", "name": "nemenyi", "y": values},
            {"kind": "rank", "name": "wilcoxon", "test": "wilcoxon", "facet": "machines", "y": values},
            {"kind": "rank", "name": "few", "test": "wilcoxon", "where": {"cell": "stages 5, machines related"},
             "y": values},
            {"kind": "rank", "name": "cells", "over": "cells", "level": 0.1, "y": values},
            {"kind": "boxes", "name": "boxes", "x": "stages", "where": {"machines": "related"}, "y": values},
        ],
    }


def run(command, folder, statuses=(0,)):
    ended = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode not in statuses:
        sys.exit(f"{command}: status {ended.returncode}\n{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}")
    return ended.stdout


def blocks_of(rows, keep=lambda row: True):
    """By cell and draw, the periods by heuristic; None where there is none."""
    blocks = {}
    for row in rows:
        if keep(row):
            block = blocks.setdefault((row["cell"], row["draw"]), {})
            block[row["heuristic"]] = Fraction(row["period"]) if row["period"] else None
    return [[block[name] for name in HEURISTICS] for block in blocks.values()]


def mid_ranks(block):
    """One by one: how many are less, and half of those that are equal."""
    key = [(value is None, value or 0) for value in block]
    return [Fraction(2 * sum(b < a for b in key) + sum(b == a for b in key) + 1, 2) for a in key]


def value_of(number):
    return Fraction(number["value"])


def check(is_true, what):
    if not is_true:
        sys.exit(f"error: {what}")


def close(found, expected, what):
    check(math.isclose(found, expected, rel_tol=1e-7, abs_tol=1e-12), f"{what}: found {found}, expected {expected}")


def check_profile(series, blocks, what):
    for index, one in enumerate(series):
        check(one["label"] == HEURISTICS[index], f"{what}: the series {one['label']}")
        ratios = sorted(block[index] / min(value for value in block if value is not None)
                        for block in blocks if block[index] is not None)
        expected = {Fraction(1): Fraction(0)}
        for count, ratio in enumerate(ratios, 1):
            expected[ratio] = Fraction(count, len(blocks))
        found = {Fraction(point["x"]): value_of(point["y"]) for point in one["points"]}
        check(found == expected, f"{what} of {one['label']}")


def exact_tail(differences):
    """All signs of all ranks, by their sums."""
    ranks = [2 * rank for rank in mid_ranks([abs(one) for one in differences])]
    law = {0: 1}
    for rank in ranks:
        grown = {}
        for total, count in law.items():
            for more in (0, rank):
                grown[total + more] = grown.get(total + more, 0) + count
        law = grown
    found = sum(rank for rank, one in zip(ranks, differences) if one > 0)
    below = sum(count for total, count in law.items() if total <= found)
    above = sum(count for total, count in law.items() if total >= found)
    return min(1.0, float(Fraction(2 * min(below, above), 2 ** len(ranks))))


def wilcoxon(blocks, first, second):
    """None where it takes SciPy, and that is not there."""
    differences = []
    far = 1 + max(value for block in blocks for value in block if value is not None)
    for block in blocks:
        a, b = block[first], block[second]
        if a is not None and b is not None:
            differences.append(a - b)
        elif a is not None or b is not None:
            differences.append(far if a is None else -far)
    differences = [one for one in differences if one != 0]
    if not differences:
        return 1.0
    if len(differences) <= 50:
        return exact_tail(differences)
    if scipy is None:
        return None
    # The same ranks and ties, without what doubles make of fractions.
    ranked = [float(rank) if one > 0 else -float(rank)
              for rank, one in zip(mid_ranks([abs(one) for one in differences]), differences)]
    return scipy.stats.wilcoxon(ranked, method="approx", correction=False).pvalue


def holm(tails, level):
    rejected = [False] * len(tails)
    for place, index in enumerate(sorted(range(len(tails)), key=lambda i: tails[i])):
        if tails[index] > level / (len(tails) - place):
            break
        rejected[index] = True
    return rejected


def joined(order, differ):
    """The longest runs of neighbors without two that differ."""
    runs = []
    for begin in range(len(order)):
        for end in range(len(order), begin + 1, -1):
            some = order[begin:end]
            if not any(differ[a][b] for a in some for b in some):
                runs.append(some)
                break
    return [some for some in runs if not any(set(some) < set(other) for other in runs)]


def check_ranking(ranking, series, blocks, level, what):
    ranks = [mid_ranks(block) for block in blocks]
    count = len(HEURISTICS)
    means = [sum(block[i] for block in ranks) / len(ranks) for i in range(count)]
    check([value_of(one["points"][0]["y"]) for one in series] == means, f"mean ranks of {what}")
    check(ranking["ranked_blocks"] == len(blocks), f"blocks of {what}")
    close(float(Fraction(ranking["level"])), level, f"level of {what}")
    if scipy is not None:
        test = scipy.stats.friedmanchisquare(*[[float(block[i]) for block in ranks] for i in range(count)])
        close(float(Fraction(ranking["friedman"])), test.statistic, f"Friedman's statistic of {what}")
        close(ranking["p_value"], test.pvalue, f"Friedman's test of {what}")
    differ = [[False] * count for _ in range(count)]
    if ranking["test"] == "wilcoxon":
        tails = []
        pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
        for (a, b), found in zip(pairs, ranking["pairs"], strict=True):
            check(found["pair"] == [HEURISTICS[a], HEURISTICS[b]], f"pairs of {what}")
            expected = wilcoxon(blocks, a, b)
            if expected is not None:
                close(found["p_value"], expected, f"Wilcoxon's test of {found['pair']} in {what}")
            tails.append(found["p_value"])
        for (a, b), is_rejected in zip(pairs, holm(tails, level)):
            differ[a][b] = differ[b][a] = is_rejected
    else:
        distance = ranking["critical_difference"]
        if scipy is not None:
            quantile = scipy.stats.studentized_range.ppf(1 - level, count, math.inf)
            close(distance, quantile / math.sqrt(2) * math.sqrt(count * (count + 1) / (6 * len(blocks))),
                  f"critical difference of {what}")
        differ = [[abs(a - b) >= distance for b in means] for a in means]
    if ranking["p_value"] > level:
        differ = [[False] * count for _ in range(count)]
    order = sorted(range(count), key=lambda i: means[i])
    expected = [[HEURISTICS[i] for i in some] for some in joined(order, differ)]
    check(ranking["joined"] == expected, f"bars of {what}: found {ranking['joined']}, expected {expected}")
    barred = [{HEURISTICS[a], HEURISTICS[b]} for some in joined(order, differ) for a in some for b in some]
    for pair in ranking["unjoined_pairs"]:
        check(set(pair) not in barred, f"pairs of {what} that no bar joins")


def check_boxes(figure, rows):
    for one, name in zip(figure["series"], HEURISTICS):
        for point in one["points"]:
            values = sorted(Fraction(row["period"]) for row in rows if row["period"] and row["heuristic"] == name
                            and row["machines"] == "related" and row["stages"] == point["x"])
            if not values:
                check(point["y"] is None and "box" not in point, f"no box of {name}")
                continue
            quartiles = [values[-(-k * len(values) // 4) - 1] for k in (1, 2, 3)]
            reach = Fraction(3, 2) * (quartiles[2] - quartiles[0])
            within = [value for value in values if quartiles[0] - reach <= value <= quartiles[2] + reach]
            box = point["box"]
            check([Fraction(box["first_quartile"]), value_of(point["y"]), Fraction(box["third_quartile"])] == quartiles,
                  f"quartiles of {name}")
            check(Fraction(box["whisker_low"]) == within[0] and Fraction(box["whisker_high"]) == within[-1],
                  f"whiskers of {name}")
            check([Fraction(text) for text in box["outside"]] == sorted(set(values) - set(within)),
                  f"what lies outside the box of {name}")


def colors_of(script):
    """By heuristic, the colors that a script draws it in."""
    colors = {}
    for name in HEURISTICS:
        pattern = (rf"color '(#[0-9a-f]+)'[^\n]* title '{name}'|"
                   rf"linecolor '(#[0-9a-f]+)' linewidth 1.6\n[^\n]*\nset label '{name}  ")
        colors[name] = {color for match in re.findall(pattern, script) for color in match if color}
    return colors


def check_colors(folder):
    scripts = {path.stem: colors_of(path.read_text()) for path in sorted(folder.glob("*.gp"))}
    check(len(scripts) == 7, "seven scripts")
    first = scripts["profile"]
    for stem, colors in scripts.items():
        for name, some in colors.items():
            check(some == first[name] and len(some) == 1, f"{stem}: {name} has the colors {some}")
    check(len(set.union(*first.values())) == len(HEURISTICS), "colors differ")


def main():
    takt = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "figures.json").write_text(json.dumps(description()))
    run([takt, "experiment", "run", "figures.json", "-o", "run"], folder, (4,))
    text = run([takt, "experiment", "rows", "run", "--exact"], folder, (4,))
    rows = list(csv.DictReader(io.StringIO(text)))
    check(len(rows) == 4 * DRAWS * len(HEURISTICS), "rows of all draws")
    check(any(row["failed"] for row in rows), "some heuristic has no result for some draw")
    report = json.loads(run([takt, "experiment", "report", "run", "--format", "json"], folder, (4,)))
    figures = {item["name"]: item for item in report["items"]}

    check_profile(figures["profile"]["series"], blocks_of(rows), "the profile")
    panels = figures["profile-panels"]["series"]
    check(len(panels) == 2 * len(HEURISTICS), "two panels")
    for machines in ("identical", "related"):
        some = blocks_of(rows, lambda row: row["machines"] == machines)
        check_profile([one for one in panels if one["panel"] == f"machines {machines}"], some, f"the panel {machines}")
        ranked = figures["wilcoxon"]
        ranking, = [one for one in ranked["rankings"] if one["panel"] == f"machines {machines}"]
        check_ranking(ranking, [one for one in ranked["series"] if one["panel"] == f"machines {machines}"], some, LEVEL,
                      f"the ranks of {machines}")
    check_ranking(figures["nemenyi"]["rankings"][0], figures["nemenyi"]["series"], blocks_of(rows), LEVEL, "all ranks")
    few = blocks_of(rows, lambda row: row["cell"] == "stages 5, machines related")
    check_ranking(figures["few"]["rankings"][0], figures["few"]["series"], few, LEVEL, "ranks of one cell")
    means = []
    for cell in sorted({row["cell"] for row in rows}):
        block = []
        for name in HEURISTICS:
            values = [Fraction(row["period"]) for row in rows
                      if row["cell"] == cell and row["heuristic"] == name and row["period"]]
            block.append(sum(values) / len(values) if values else None)
        means.append(block)
    check_ranking(figures["cells"]["rankings"][0], figures["cells"]["series"], means, 0.1, "ranks of cells")
    check_boxes(figures["boxes"], rows)
    run([takt, "experiment", "plot", "run", "-o", "figures"], folder, (0, 1))
    check_colors(folder / "figures")
    print(f"{4 * DRAWS} draws of seed {SEED}: profiles, ranks and boxes are those of the rows")
    if scipy is None:
        print("there is no SciPy: p-values and critical differences were not compared")


main()

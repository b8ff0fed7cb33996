#!/usr/bin/env python3
"""The numbers and tables of the article, in LaTeX: from examples evaluated by takt, the stored reports of experiments,
and the measured tables of docs/benchmarks.md. scripts/reproduce --paper calls it.

Usage: tables.py [--check] PROGRAM SEEDS   writes *.tex beside takt.tex; SEEDS: those of scripts/reproduce --theorems.
--check writes nothing, and fails if a file would change.
"""
import json
import pathlib
import re
import subprocess
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NETWORKS = {"sender": "by sender", "pair": "by pair", "star": "slower of both"}
EXAMPLES = {"A": "example-a", "B": "example-b", "C": "example-c"}
CASES = {
    "column_1000x1001": "OVERLAP transfer, 1000 to 1001 processors",
    "column_growth_1e7": "OVERLAP transfer, $10^7$ pairs",
    "strict_balanced_360360": "STRICT, balanced, 360{,}360 rows",
    "strict_random_360360": "STRICT, random, 360{,}360 rows",
    "paper_10x20_overlap": "10 stages on 20 processors, OVERLAP",
    "paper_10x20_strict": "10 stages on 20 processors, STRICT",
    "strict_50x1000_s1": "50 stages on 1000 processors, STRICT",
    "strict_formula_links": "formula of 5 variables (Theorem~\\ref{hard})",
}


def fraction(text):
    value = Fraction(text)
    if value.denominator == 1:
        return f"{value.numerator}"
    return f"{value.numerator}/{value.denominator}"


def percent(value):
    digits = 1 if value >= 0.001 else 2
    return f"{100 * float(value):.{digits}f}\\,\\%" if value else "0"


def grouped(number):
    return f"{number:,}".replace(",", "{,}")


def evaluated(program, name, model):
    command = [program, "evaluate", ROOT / f"examples/{name}.json", "--model", model, "--json"]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    answer = answer[0] if isinstance(answer, list) else answer
    return Fraction(answer["period"]), Fraction(answer["max_cycle_time"])


def shares(network):
    """By cell and model: the share of mappings without critical resource, and the largest gap; the draws of each."""
    report = json.loads((ROOT / f"experiments/results/replicated-shares-{network}.json").read_text())
    table = next(item for item in report["items"] if item["form"] == "table")
    cells = {}
    for row in table["rows"]:
        numbers = dict(zip(table["columns"], row["numbers"]))
        cells[tuple(row["labels"])] = (Fraction(numbers["share gap > 0"]["value"]),
                                       numbers["largest gap"]["value_decimal"])
    return cells, report["draws_done"] // len({cell for cell, _ in cells})


def benchmarks():
    rows = {}
    for line in (ROOT / "docs/benchmarks.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 8 and re.fullmatch(r"[a-z_0-9x]+", cells[0]):
            rows[cells[0]] = cells
    return rows


def milliseconds(text):
    value = float(text)
    if value < 0.1:
        return f"{value * 1000:.2g}~\\textmu s"
    return f"{value:.3g}~ms" if value < 1000 else f"{value / 1000:.3g}~s"


def tabular(columns, head, rows, caption, label):
    lines = ["\\begin{table}[tb]", "\\centering\\small", f"\\caption{{{caption}}}\\label{{{label}}}",
             f"\\begin{{tabular}}{{{columns}}}", "\\toprule", head + " \\\\", "\\midrule"]
    lines += [" & ".join(row) + " \\\\" for row in rows]
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", "\\end{table}", ""])


def examples_table(program):
    rows = []
    for letter, name in EXAMPLES.items():
        row = [letter]
        for model in ("overlap", "strict"):
            period, cycle = evaluated(program, name, model)
            row += [f"${fraction(period)}$", f"${fraction(cycle)}$"]
        rows.append(row)
    head = ("& \\multicolumn{2}{c}{OVERLAP} & \\multicolumn{2}{c}{STRICT} \\\\\n"
            "example & period & $\\Mct$ & period & $\\Mct$")
    return tabular("lrrrr", head, rows, "Exact periods and largest cycle times of the examples of "
                   "\\cite{benoit2009throughput}; A and B are reconstructions.", "examples")


def shares_table():
    columns = {network: shares(network)[0] for network in NETWORKS}
    cells = [cell for cell, model in columns["sender"] if model == "strict"]
    rows = [[cell.replace("x", "$\\times$", 1)] +
            [text for network in NETWORKS
             for text in (percent(columns[network][cell, "strict"][0]), percent(columns[network][cell, "strict"][1]))]
            for cell in cells]
    heads = " & ".join(f"\\multicolumn{{2}}{{c}}{{{words}}}" for words in NETWORKS.values())
    head = f"& {heads} \\\\\nstages $\\times$ processors, times & share & gap & share & gap & share & gap"
    return tabular("lrrrrrr", head, rows, "Mappings without critical resource under STRICT: their share, and the "
                   "largest gap between period and $\\Mct$, relative to $\\Mct$. Transfer times depend on the sender, "
                   "on the pair, or on the slower processor of both.", "shares")


def speed_table():
    found = benchmarks()
    rows = []
    for case, words in CASES.items():
        _, peer, peer_ms, _, takt_ms, _, _, ratio = found[case]
        has_peer = peer_ms != "-"
        rows.append([words, peer.upper() if peer == "lemon" else peer.capitalize() if has_peer else "none",
                     milliseconds(peer_ms) if has_peer else "", milliseconds(takt_ms), ratio if has_peer else ""])
    return tabular("llrrr", "case & best peer & peer & \\takt & ratio", rows,
                   "CPU time of one exact period. ``None'': no other program finishes.", "speed")


def macros(program, seeds):
    video, video_cycle = evaluated(program, "weighted-round-robin", "strict")
    b_period, b_cycle = evaluated(program, "example-b", "overlap")
    pair, draws = shares("pair")
    found = benchmarks()
    strict = [values for (_, model), values in pair.items() if model == "strict"]
    values = {
        "VideoStrictPeriod": f"{float(video):.1f}",
        "VideoStrictMct": f"{float(video_cycle):.1f}",
        "ExampleBGap": percent(b_period / b_cycle - 1),
        "SharesDraws": grouped(draws),
        "SharesPairLargest": percent(max(share for share, _ in strict)),
        "SharesPairGap": percent(max(gap for _, gap in strict)),
        "SharesPairOverlap": percent(max(share for (_, model), (share, _) in pair.items() if model == "overlap")),
        "PaperOverlap": milliseconds(found["paper_10x20_overlap"][4]),
        "PaperStrict": milliseconds(found["paper_10x20_strict"][4]),
        "TheoremSeeds": seeds,
    }
    return "".join(f"\\newcommand{{\\{name}}}{{{text}}}\n" for name, text in values.items())


def main():
    check = "--check" in sys.argv[1:]
    program, seeds = sys.argv[-2:]
    texts = {"numbers": macros(program, seeds), "examples": examples_table(program), "shares": shares_table(),
             "speed": speed_table()}
    for name, text in texts.items():
        path = HERE / f"{name}.tex"
        text = "% Written by scripts/reproduce --paper.\n" + text
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"error: {path.relative_to(ROOT)} is not what the examples and stored results make: "
                     "scripts/reproduce --paper renews it")


if __name__ == "__main__":
    main()

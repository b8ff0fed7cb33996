#!/usr/bin/env python3
"""Reports in LaTeX are compiled: tables, long tables, pictures, verdicts and names with whatever is special in LaTeX.

Usage: experiment_latex_test.py TAKT FOLDER
Ends with 77, for a test that was not run, where there is no pdflatex with booktabs, or no gnuplot for the pictures.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
HOSTILE = "100% of a_b & {c}: $x$ #1 ~^ \\ | <\"quoted\"> ± 1"


def description():
    cells = [{"name": f"{HOSTILE} {stages}", "stages": stages, "draws": 4} for stages in range(2, 47)]
    return {
        "name": "latex_&_more",
        "title": HOSTILE,
        "notes": [HOSTILE],
        "seed": 3,
        "study": "heuristics",
        "generator": {"name": "skeleton-pair", "processors": 4},
        "cells": cells,
        "heuristics": [{"name": "bsc", "label": HOSTILE}, "random"],
        "references": ["lower-bound"],
        "models": ["overlap", "strict"],
        "report": [
            {"kind": "table", "title": HOSTILE, "columns": [
                {"mean": "predicted_period"}, {"share": "to lower-bound >= 2"}, {"largest": "period"}]},
            {"kind": "table", "where": {"stages": [2, 3]}, "columns": {"mean": "period"}},
            {"kind": "curve", "name": "means", "title": HOSTILE, "x": "stages", "y": {"mean": "period"}},
            {"kind": "rank", "name": "ranks", "title": HOSTILE, "y": {"values": "period", "model": "strict"}},
            {"kind": "profile", "name": "profile", "facet": "model", "y": {"values": "period"}},
        ],
        "expect": [
            {"says": HOSTILE, "printed": HOSTILE, "value": {"mean": "period"}, "within": [0, 1], "confidence": 0.95},
            {"says": "least", "value": {"mean": "period"}, "least": "heuristic", "is": HOSTILE},
        ],
    }


def run(command, folder, statuses=(0,)):
    ended = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, errors="replace",
                           check=False)
    if ended.returncode not in statuses:
        sys.exit(f"{command}: status {ended.returncode}\n{ended.stdout}\n{ended.stderr}")
    return ended.stdout


def compiled(folder, name):
    """What pdflatex says of a document, in one line where it was broken."""
    for _ in range(2):
        run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"], folder)
    log = (folder / f"{name}.log").read_text(errors="replace")
    for trouble in ("Missing character", "undefined references"):
        if trouble in log:
            sys.exit(f"{name}.log: {trouble}")
    return re.search(r"Output written on .*?\((\d+) page", log.replace("\n", ""))


def main():
    takt = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2])
    for program in ("pdflatex", "kpsewhich", "gnuplot"):
        if shutil.which(program) is None:
            print(f"not run: there is no {program} (Debian: texlive-latex-recommended, gnuplot-nox)")
            sys.exit(SKIPPED)
    for style in ("booktabs.sty", "longtable.sty", "graphicx.sty"):
        if subprocess.run(["kpsewhich", style], capture_output=True, check=False).returncode != 0:
            print(f"not run: LaTeX has no {style} (Debian: texlive-latex-recommended)")
            sys.exit(SKIPPED)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "latex.json").write_text(json.dumps(description()))
    run([takt, "experiment", "run", "latex.json", "-o", "run"], folder)
    run([takt, "experiment", "plot", "run", "-o", "pictures", "--format", "pdf"], folder)
    document = run([takt, "experiment", "report", "run", "--format", "latex", "--document", "--figures", "pictures"],
                   folder)
    (folder / "document.tex").write_text(document)
    pages = compiled(folder, "document")
    assert pages and int(pages[1]) >= 3, "a long table takes pages"
    part = run([takt, "experiment", "report", "run", "--format", "latex", "--figures", "pictures"], folder)
    (folder / "part.tex").write_text(part)
    (folder / "paper.tex").write_text(
        "\\documentclass{article}\\usepackage{array,booktabs,longtable,graphicx}\\begin{document}\n"
        "\\input{part}\nTable~\\ref{tab:latex---more-1}, Figure~\\ref{fig:means}.\\end{document}\n")
    assert compiled(folder, "paper"), "a part can be read by \\input"
    print("compiled a document and a paper")


main()

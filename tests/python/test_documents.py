"""What documentation and examples show is what happens."""
import doctest
import importlib.util
import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys

import pytest

import takt
from conftest import ROOT


def test_the_page_on_python_shows_what_happens():
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    if not importlib.util.find_spec("pandas"):
        print("no pandas (Debian's python3-pandas): the page's data frames are not tested")
        blocks = [block for block in blocks if "to_pandas" not in block]
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "docs/python.md", None, 0)
    results = doctest.DocTestRunner().run(test)
    assert results.attempted > 20 and results.failed == 0


def test_docstrings_show_what_happens():
    tried = 0
    for name, module in sorted(sys.modules.items()):
        if name == "takt._experiments" and not importlib.util.find_spec("pandas"):
            print("no pandas (Debian's python3-pandas): the docstrings of experiments are not tested")
            continue
        if name == "takt" or name.startswith("takt._") and pathlib.Path(module.__file__).suffix == ".py":
            results = doctest.testmod(module, extraglobs={"takt": takt})
            tried += results.attempted
            assert results.failed == 0, name
    assert tried > 3


def test_the_hill_climber_is_no_worse_than_polish(capsys):
    sys.path.insert(0, str(ROOT / "examples/python"))
    from hill_climber import climb

    evaluator = takt.Evaluator("examples/hedpm-problem.json", model="overlap")
    mapping, period = climb(evaluator, steps=20_000)
    polished = takt.map("examples/hedpm-problem.json", "polish", model="overlap")
    assert period <= takt.evaluate(polished, model="overlap").period
    assert takt.evaluate(evaluator.document(mapping), model="overlap").period == period


def test_the_notebook_runs_as_a_script(capsys):
    cells = runpy.run_path(str(ROOT / "examples/python/notebook.py"))
    printed = capsys.readouterr().out.splitlines()
    assert cells["before"]._repr_html_() and cells["before"].net._repr_svg_()
    assert any(line.startswith(" 40 % faster:") for line in printed)
    assert printed[-1] == "in the long run: one in 230.7"


def test_the_study_of_a_hundred_problems_runs_as_a_script(tmp_path):
    if shutil.which("gnuplot") is None:
        pytest.skip("no gnuplot (Debian's gnuplot-nox): the study is not tested")
    for module in ("pandas", "matplotlib"):
        pytest.importorskip(module, reason=f"no {module} (Debian's python3-{module}): the study is not tested")
    script = ROOT / "examples/python/study.py"
    text = script.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60 and not re.search(r"Fraction|exact\(|float\(", text)
    package = str(pathlib.Path(takt.__file__).parents[1])
    ended = subprocess.run([sys.executable, "-B", script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": package},
                           capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    printed = ended.stdout.splitlines()
    rows = {line.rsplit(maxsplit=8)[0]: line.split()[-8:] for line in printed if re.search(r"\d$", line)}
    assert [rows[name][0] for name in ("bsc", "fair share", "polish")] == ["100.0"] * 3
    assert float(rows["polish"][1]) < float(rows["bsc"][1]) < float(rows["fair share"][1])
    assert any(line.startswith("worst: period ") for line in printed)
    assert "\\includegraphics" in ended.stdout
    assert (tmp_path / "run/figures/fair.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "study.png").stat().st_size > 1000
    assert "<svg" in (tmp_path / "study.svg").read_text(encoding="utf-8")

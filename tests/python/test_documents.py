"""What documentation and examples show is what happens."""
import doctest
import importlib.util
import pathlib
import re
import runpy
import sys

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

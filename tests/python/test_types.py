"""mypy finds what is misspelt, and nothing wrong with the package and the examples."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import ROOT

MYPY = shutil.which("mypy", path=f"/usr/bin:{os.environ.get('PATH', '')}")

pytestmark = pytest.mark.skipif(MYPY is None, reason="no mypy (Debian's mypy): types are not tested")


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


def checked(cache, *arguments):
    """What `mypy --strict` says, as pyproject.toml has it."""
    command = [MYPY, "--config-file", ROOT / "pyproject.toml", "--cache-dir", cache, "--no-error-summary", *arguments]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "python")}
    ended = subprocess.run([str(one) for one in command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode in (0, 1), ended.stderr
    return ended.stdout.splitlines()


def test_the_package_and_the_examples_are_right(cache):
    assert 'strict = true' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert checked(cache, "-p", "takt") == []
    for script in sorted(pathlib.Path(ROOT / "examples/python").glob("*.py")):
        assert checked(cache, script) == [], script.name
    assert checked(cache, ROOT / "python/packaging/takt_build.py") == []


WRONG = '''\
import takt
from fractions import Fraction
result = takt.evaluate("a.json", model="foo")  # arg-type
result.periode  # attr-defined
result.resources[0].utilisation  # attr-defined
takt.map("a.json", "polsh")  # arg-type
takt.evaluate("a.json", modell="strict")  # call-arg
takt.plan("a.json", rate=200).costs  # attr-defined
takt.sensitivity("a.json").parameters[0].faster.gain  # union-attr
takt.cycle_ratio([0], [0], [1], solver="simplex")  # arg-type
takt.Evaluator("a.json", model="strickt")  # arg-type
takt.export("a.json", "pmnl")  # arg-type
late: int = result.period  # assignment
takt.evaluat("a.json")  # attr-defined
takt.generate("workflows")  # arg-type
takt.Evaluator("a.json").period([(1, [0])], cutoff=1) + 1  # operator
'''
RIGHT = '''\
import takt
from decimal import Decimal
from fractions import Fraction
from typing import List, Optional
model: takt.Model = "strict"
result = takt.evaluate({"application": {}}, model=model, time_limit=Fraction(1, 2))
period: Fraction = result.period + result.bottleneck.cycle_time * 2
stages: Optional[List[str]] = result.critical_circuit.steps[0].stages if result.critical_circuit else None
plan = takt.plan(takt.load("a.json"), rate=200, budget=Decimal("2.5"), machines={"small": 3})
cost: Fraction = plan.cost / plan.machine_count
evaluator = takt.Evaluator("a.json", model="overlap")
one: Fraction = evaluator.period([(1, ["P0", 1])])
several: List[Fraction] = evaluator.periods([[(1, [0])], [(1, [1])]])
floats = evaluator.periods([[(1, [0])]], exact=False).mean()
names: List[takt.Heuristic] = ["bsc", "polish"]
mapped = [takt.map("a.json", name).predicted_period for name in names]
own = takt.map("a.json", lambda evaluator: [(len(evaluator.stages), [0])], model="strict")
ratio, arcs = takt.cycle_ratio("ab", "ba", [1, 2])
'''


def test_what_is_misspelt_is_found(cache, tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG, encoding="utf-8")
    found = [re.search(r":(\d+): error: .*\[([a-z-]+)\]$", line) for line in checked(cache, wrong)]
    expected = [(i, line.split("# ")[1]) for i, line in enumerate(WRONG.splitlines(), 1) if "# " in line]
    # One line may be wrong in two ways.
    assert list(dict.fromkeys((int(one[1]), one[2]) for one in found if one)) == expected
    right = tmp_path / "right.py"
    right.write_text(RIGHT, encoding="utf-8")
    assert checked(cache, right) == []

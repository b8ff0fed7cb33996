"""Where the program, the examples and documents that go wrong are."""
import copy
import json
import pathlib
import subprocess

import pytest

import takt

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The module is built beside the program: <build>/python/takt/_core and <build>/takt.
PROGRAM = pathlib.Path(takt.__file__).absolute().parents[2] / "takt"
EXAMPLES = sorted(
    path for path in (ROOT / "examples").glob("*.json") if '"mapping"' in path.read_text(encoding="utf-8")
)


def program(*arguments, text=None):
    """What the program prints, and its exit status."""
    ended = subprocess.run(
        [PROGRAM, *map(str, arguments)], input=text, capture_output=True, text=True, check=False, cwd=ROOT
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture
def example_a():
    """The document of example A, to be changed at will."""
    return copy.deepcopy(json.loads((ROOT / "examples/example-a.json").read_text(encoding="utf-8")))


@pytest.fixture(autouse=True)
def from_the_root(monkeypatch):
    """Paths in tests are those of the documentation."""
    monkeypatch.chdir(ROOT)

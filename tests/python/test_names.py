"""Every public name is documented, and every option of the program has its argument."""
import inspect
import re

import pytest

import takt
from conftest import program

# Options that have no place in Python, and why.
ABSENT = {
    "help", "json", "keep-going", "lines", "jobs", "verbose",  # how the program prints, and reads many files
    "certificate",  # Result.certificate, and a bool of plan
    "apply", "set",  # takt.changed
    "top",  # of a table
    "plot",  # a file
    "format", "completion", "unit",  # of tables and traces
}


def options_of(command):
    text = program("help", command)[1]
    return set(re.findall(r"^  (?:-\w,)?--([a-z-]+)", text, re.MULTILINE))


@pytest.mark.parametrize(
    "command, function",
    [
        ("evaluate", takt.evaluate), ("check", takt.check), ("verify", takt.verify), ("sensitivity", takt.sensitivity),
        ("plan", takt.plan), ("rooms", takt.rooms), ("report", takt.report), ("gantt", takt.gantt), ("dot", takt.draw),
        ("simulate", takt.simulate), ("export", takt.export),
    ],
)
def test_every_option_is_an_argument(command, function):
    arguments = {name.rstrip("_").replace("_", "-") for name in inspect.signature(function).parameters}
    missing = options_of(command) - ABSENT - arguments
    if command == "simulate":
        missing -= {"time-limit"}  # of --completion
    assert not missing


def test_every_name_is_documented():
    for name in takt.__all__:
        if name == "__version__":
            continue
        value = getattr(takt, name)
        assert inspect.getdoc(value), name
        if inspect.isclass(value):
            for member, item in vars(value).items():
                if not member.startswith("_") and (callable(item) or isinstance(item, property)):
                    assert inspect.getdoc(item), f"{name}.{member}"

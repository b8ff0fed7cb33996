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
    "ahead",  # what the answer's "ahead" names is a member of the instance, "transfers"
    "top",  # of a table
    "plot",  # a file
    "format", "completion", "unit",  # of tables and traces
}


def options_of(command):
    text = program("help", command)[1]
    return set(re.findall(r"^  (?:-\w,)?--([a-z-]+)", text, re.MULTILINE))


def commands_in_python():
    listed = re.findall(r"^  ([a-z-]+)  ", program("--help")[1], re.MULTILINE)
    named = {command: getattr(takt, command) for command in listed if hasattr(takt, command)}
    del named["run"]  # any command
    open_ended = [command for command, function in named.items() if takes_any(function)]
    assert open_ended == ["map", "generate"]  # options of each heuristic and generator
    return [item for item in named.items() if item[0] not in open_ended] + [("dot", takt.draw)]


def takes_any(function):
    return any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values())


def test_commands_are_found():
    assert {"evaluate", "check", "plan", "rooms", "export"} <= {command for command, _ in commands_in_python()}


@pytest.mark.parametrize("command, function", commands_in_python())
def test_every_option_is_an_argument(command, function):
    arguments = {name.rstrip("_").replace("_", "-") for name in inspect.signature(function).parameters}
    missing = options_of(command) - ABSENT - arguments
    if command == "simulate":
        missing -= {"time-limit"}  # of --completion
    assert not missing


def test_every_name_is_documented():
    for name in [*takt.__all__, "map"]:
        if name in ("__version__", "Heuristic", "Model"):
            continue
        value = getattr(takt, name)
        assert inspect.getdoc(value), name
        if inspect.isclass(value):
            for member, item in vars(value).items():
                if not member.startswith("_") and (callable(item) or isinstance(item, property)):
                    assert inspect.getdoc(item), f"{name}.{member}"

"""Random calls of all names of takt, right and wrong: each answers, or raises what docs/python.md documents.

Usage: fuzz_calls.py [COUNT [SEED [LAST [SECONDS]]]]   LAST: a file that holds the call under way, for who looks after a
crash; SECONDS: how long a call may take; default 30; 0: for ever
Ends with status 1 where something else was raised, or a call took longer.
"""
import collections
import copy
import decimal
import faulthandler
import fractions
import importlib.util
import inspect
import json
import os
import pathlib
import pickle
import random
import signal
import sys
import typing

import numpy

import takt
from takt import _words

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a call may raise: a TaktError, what Python raises of wrong arguments and of files, and where its stack ends.
DOCUMENTED = (takt.TaktError, TypeError, ValueError, OSError, RecursionError)

MAPPED = ["example-a", "example-b", "racks", "batches", "cores", "video-analytics", "hedpm-case-study",
          "weighted-round-robin", "server-in-two-parts"]
PROBLEMS = ["hedpm-problem", "catalogue", "video-catalogue", "hedpm-case-study", "video-analytics"]
NAMES = sorted({*MAPPED, *PROBLEMS})
DOCUMENTS = {
    name: json.loads((ROOT / f"examples/{name}.json").read_text(encoding="utf-8")) for name in NAMES
}


class Unwilling:
    """Says no to whatever is asked of it."""

    def __index__(self):
        raise TypeError("no")

    __float__ = __len__ = __index__

    def __iter__(self):
        raise ValueError("no")


class Slow(BaseException):
    """Not for those who catch exceptions."""


def value(draw):
    """Any value."""
    simple = [
        None, True, False, 0, 1, 2, 3, 7, 100, -1, 2**31, 2**63, 2**64, -(2**70), 10**400, 0.0, 0.1, 1e300, -1.5, 5e-324,
        float("nan"), float("inf"), -float("inf"), "", "x", "1/2", "1/0", "0", "5 ms", "200/s", "1e9", "-3", "\0", "\ud800",
        "\x1b[31m", "x" * 5000, "overlap", "strict", "bounded", "full", "all", "best", "P0", "/platform/links/1/time", "-", "--",
        b"", b"\xff", fractions.Fraction(1, 3), fractions.Fraction(0), decimal.Decimal("0.1"), decimal.Decimal("nan"),
        decimal.Decimal("1e999"), 1j, object(), len, int, Unwilling(), numpy.int64(3), numpy.float32(0.1), numpy.float64("nan"),
        numpy.bool_(True), numpy.array(3), numpy.array([1, 2]), numpy.array([[0.5]]), numpy.array(["a"]), numpy.array([None]),
        range(3), pathlib.Path("/nonexistent"), pathlib.Path(ROOT), "examples/example-a.json", "examples", "/dev/null",
    ]
    kind = draw.randrange(12)
    if kind < 8:
        return draw.choice(simple)
    if kind == 8:
        return [value(draw) for _ in range(draw.randrange(4))]
    if kind == 9:
        return {draw.choice(["a", "small", "stages", 1, None, "/platform/links/1/time"]): value(draw)}
    if kind == 10:
        return tuple(value(draw) for _ in range(draw.randrange(3)))
    return document(draw)


def places_in(node, path=()):
    """The paths of all values in a document."""
    yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in items:
        yield from places_in(item, (*path, key))


def changed(draw, fields):
    """A document with some of its values exchanged, doubled or gone."""
    fields = copy.deepcopy(fields)
    for _ in range(draw.randint(1, 3)):
        path = draw.choice([place for place in places_in(fields) if place] or [()])
        if not path:
            break
        holder = fields
        for key in path[:-1]:
            holder = holder[key]
        way = draw.randrange(4)
        if way == 0:
            del holder[path[-1]]
        elif way == 1 and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[path[-1]]))
        elif way == 2:
            holder[path[-1]] = draw.choice([0, 1, "1/3", 0.1, fractions.Fraction(5, 7), 10**20, "P1", [], {}, None])
        else:
            holder[path[-1]] = value(draw) if draw.random() < 0.5 else 1
    return fields


def document(draw, names=tuple(NAMES)):
    """A document in any form, most of them right."""
    name = draw.choice(names)
    kind = draw.randrange(10)
    if kind < 3:
        return f"examples/{name}.json"
    if kind < 5:
        return takt.load(f"examples/{name}.json")
    if kind < 7:
        return copy.deepcopy(DOCUMENTS[name])
    return changed(draw, DOCUMENTS[name])


WORDS = {
    "model": typing.get_args(_words.Model), "method": typing.get_args(_words.Method),
    "solver": typing.get_args(_words.Solver), "schedule": typing.get_args(_words.Schedule),
    "color": typing.get_args(_words.Coloring), "among": typing.get_args(_words.PlanClass),
    "to": typing.get_args(_words.ExportFormat), "heuristic": (*typing.get_args(_words.Heuristic), "all"),
    "generator": typing.get_args(_words.Generator), "circuit": ("full",), "ahead": ("best",),
    "data_sets": (1, 5, 50), "rooms": (1, 2, 3), "window": (1, 4, 10**6), "rate": (200, "100/s", "50/min", 3),
    "period": ("5 ms", 0.01, "1/7"), "budget": (1, "2.5", 10), "latency": ("1 s", 0.5, True), "seed": (1, 2, 3), "target": (210, "5 ms"),
    "machines": ({"small": 3}, {"gpu": 1, "small": 20}), "parameter": ("/platform/links/1/time", ["/platform/links/0/time"]),
    "max_rows": (1, 100), "max_transitions": (1, 500), "max_memory": (1, 64), "faster": (10, "5"), "up_to": ("300/s",),
    "survive": (1,), "headroom": ("30%", 0.1), "tolerance": (0.05, "5%"), "all": (1, 2), "draw": (0, 3), "from_": (0, 10),
}
# What needs pandas (Debian's python3-pandas), where there is none.
WITH_PANDAS = () if importlib.util.find_spec("pandas") else ("to_pandas",)
LIMITED = [takt.evaluate, takt.map, takt.verify, takt.sensitivity, takt.plan, takt.rooms, takt.report, takt.gantt, takt.draw,
           takt.dot, takt.export]


def arguments_of(draw, function, wrong):
    """Keyword arguments of a function, those in question right but with a chance of `wrong`."""
    named = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is not parameter.KEYWORD_ONLY or draw.random() > 0.25:
            continue
        if draw.random() < wrong:
            named[name] = value(draw)
        else:
            named[name] = draw.choice(WORDS.get(name, (True, False)))
    aims = [name for name in ("rate", "period", "budget") if name in named]
    for name in aims[1:]:
        del named[name]
    if function is takt.plan and not aims:
        named["rate"] = draw.choice(WORDS["rate"])
    if "model" in inspect.signature(function).parameters and draw.random() < 0.9:
        named["model"] = draw.choice(WORDS["model"])
    if function in LIMITED:
        named["time_limit"] = draw.choice([0.05, "50ms", 0.1])
    return named


def looked_at(draw, answer):
    """What people do with an answer."""
    repr(answer)
    for view in ("_repr_html_", "_repr_svg_"):
        if hasattr(answer, view):
            getattr(answer, view)()
    if draw.random() < 0.2 and type(answer).__module__.startswith("takt"):
        assert pickle.loads(pickle.dumps(answer)) == answer
        copy.deepcopy(answer)
    left_out = ("save", "parse", "clear", *WITH_PANDAS)
    names = [name for name in dir(answer) if not name.startswith("_") and name not in left_out]
    if isinstance(answer, (takt.Record, takt.CycleRatio, takt.Firings, takt.Document)):
        for name in draw.sample(names, min(6, len(names))):
            got = getattr(answer, name, None)
            if callable(got):
                got()
    return answer


def call_function(draw):
    function = draw.choice([*LIMITED, takt.simulate])
    names = NAMES if draw.random() < 0.1 else PROBLEMS if function in (takt.map, takt.plan) else MAPPED
    places = [document(draw, names) if draw.random() < 0.95 else value(draw)]
    if function is takt.map and draw.random() < 0.9:
        places.append(draw.choice(WORDS["heuristic"]) if draw.random() < 0.9 else value(draw))
    if function is takt.export:
        places.append(draw.choice(WORDS["to"]) if draw.random() < 0.9 else value(draw))
    named = arguments_of(draw, function, wrong=0.5 if draw.random() < 0.3 else 0)
    if function is takt.map and draw.random() < 0.2:
        named[draw.choice(["iterations", "class_", "start", "nonsense", "epsilon"])] = value(draw)
    if function is takt.simulate and isinstance(named.get("data_sets"), int):
        named["data_sets"] = min(named["data_sets"], 10**5)
    return function, places, named


def call_check(draw):
    given = document(draw, MAPPED)
    certificate = draw.choice([value(draw), {}, {"claim": "largest ratio"}])
    if draw.random() < 0.5:
        try:
            certificate = takt.evaluate(given, model="strict", time_limit=0.1).certificate
        except DOCUMENTED:
            pass
        if isinstance(certificate, dict) and draw.random() < 0.7:
            certificate = changed(draw, certificate)
    return takt.check, [given, certificate], {"time_limit": 0.1}


def call_small(draw):
    frames = [] if WITH_PANDAS else [takt.to_pandas]
    function = draw.choice([takt.exact, takt.load, takt.changed, takt.Document.parse, *frames, takt.generate])
    if function is takt.generate:
        named = {draw.choice(["stages", "processors", "works", "speeds", "shape", "nonsense"]): draw.choice(
            [3, 5, "1..9", "equal", "layered", value(draw)])}
        return function, [draw.choice(WORDS["generator"]) if draw.random() < 0.9 else value(draw)], named
    if function is takt.changed:
        names = ["/platform/links/1/time", "/platform/processors/0/speed", "nonsense", 5]
        return function, [document(draw), {draw.choice(names): value(draw)} if draw.random() < 0.8 else value(draw)], {}
    if function is takt.Document.parse:
        text = json.dumps(DOCUMENTS[draw.choice(NAMES)])
        cut = draw.randrange(len(text))
        return function, [draw.choice([text, text[:cut], text.encode(), text[:cut] + "\0" + text[cut:], value(draw)])], {}
    return function, [value(draw)], {}


def call_cycle_ratio(draw):
    count, vertices = draw.randrange(9), draw.randint(1, 4)
    labels = draw.choice([list(range(vertices)), ["a", "b", "c", "d"][:vertices], [("t", i) for i in range(vertices)]])
    columns = [
        [draw.choice(labels) for _ in range(count)], [draw.choice(labels) for _ in range(count)],
        [draw.choice([1, -2, "7/2", 0.1, fractions.Fraction(5, 3), 10**30]) for _ in range(count)],
        [draw.choice([0, 1, 1, 2, 10**6]) for _ in range(count)],
    ]
    if draw.random() < 0.3:
        column = draw.choice(columns)
        if column and draw.random() < 0.7:
            column[draw.randrange(count)] = value(draw)
        else:
            columns[draw.randrange(4)] = value(draw)
    if draw.random() < 0.2:
        columns[draw.randrange(4)] = numpy.array(columns[draw.randrange(3)], dtype=object)
    if draw.random() < 0.1:
        columns = columns[:draw.randrange(4)] or [value(draw)]
    named = {"solver": draw.choice([*WORDS["solver"], value(draw)])} if draw.random() < 0.5 else {}
    return takt.cycle_ratio, columns, {**named, "minimum": draw.random() < 0.3} if len(columns) < 5 else named


def call_evaluator(draw):
    problem = document(draw, ["hedpm-problem", *MAPPED]) if draw.random() < 0.95 else value(draw)
    evaluator = takt.Evaluator(problem, model=draw.choice(WORDS["model"] if draw.random() < 0.9 else [value(draw)]))
    looked_at(draw, evaluator)

    def mapping():
        left, parts = len(evaluator.stages), []
        while left:
            count = draw.randint(1, left)
            width = draw.randint(1, 3)
            parts.append((count, [draw.randrange(len(evaluator.processors)) for _ in range(width)]))
            left -= count
        if draw.random() < 0.3:
            parts[draw.randrange(len(parts))] = draw.choice([value(draw), (value(draw), [0]), (1, value(draw)), {"stages": value(draw)}])
        return parts if draw.random() < 0.95 else value(draw)

    method = draw.choice(["period", "periods", "periods_of_arrays", "max_cycle_time", "document", "parts"])
    if method == "parts":
        return evaluator.parts, [document(draw)], {}
    if method == "periods":
        named = {"exact": draw.choice([True, False, value(draw)])} if draw.random() < 0.3 else {}
        return evaluator.periods, [[mapping() for _ in range(draw.randrange(4))]], named
    if method == "periods_of_arrays":
        arrays = [[0, 1], [len(evaluator.stages)], [1], [0]]
        if draw.random() < 0.6:
            arrays[draw.randrange(4)] = draw.choice([value(draw), numpy.array([0, 5, -1]), [2**40], []])
        return evaluator.periods_of_arrays, arrays, {}
    named = {"cutoff": value(draw)} if method == "period" and draw.random() < 0.4 else {}
    return getattr(evaluator, method), [mapping()], named


def call_run(draw):
    command = draw.choice(["evaluate", "verify", "rooms", "heuristics", "generators", "--help", "--version", "dot", "nonsense", "check"])
    words = ["-", "--json", "--model", "strict", "--help", "examples/example-a.json", "--rooms", "--lines", "\0", "x", "--window=-1"]
    arguments = [command, *(draw.choice(words) for _ in range(draw.randrange(5)))]
    if draw.random() < 0.2:
        arguments.append(value(draw))
    text = draw.choice(["", "{}", json.dumps(DOCUMENTS[draw.choice(NAMES)]), b"\xff\xfe", value(draw)])
    return takt.run, [arguments if draw.random() < 0.9 else value(draw), text], {}


WAYS = [call_function] * 6 + [call_check, call_small, call_small, call_cycle_ratio, call_cycle_ratio, call_evaluator, call_evaluator,
                              call_run]


def tell_slow(number, frame):
    raise Slow


def one_call(draw, number, last, seconds):
    """What came of it, in a word."""
    way = draw.choice(WAYS)
    described = way.__name__
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        os.pwrite(last, f"{number}: {described}".ljust(4000).encode(), 0)
        function, places, named = way(draw)
        described = f"{function.__name__}{places!r:.3000}{named!r:.900}"
        os.pwrite(last, f"{number}: {described}".encode("utf-8", "replace").ljust(4000)[:4000], 0)
        looked_at(draw, function(*places, **named))
    except DOCUMENTED as error:
        assert str(error) or isinstance(error, RecursionError) or not isinstance(error, takt.TaktError), described
        return type(error).__name__
    except Slow:
        print(f"call {number} took longer than {seconds} s: {ascii(described)}")
        return "slow"
    except BaseException as error:
        print(f"call {number} raised {error!r}: {ascii(described)}")
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return "answered"


def fuzz(count, seed, last, seconds):
    os.chdir(ROOT)
    signal.signal(signal.SIGALRM, tell_slow)
    outcomes = collections.Counter()
    with open(last, "wb") as file:
        for number in range(count):
            # Each call by a number of its own: one alone is had again.
            outcomes[one_call(random.Random(f"{seed} {number}"), number, file.fileno(), seconds)] += 1
    return outcomes


if __name__ == "__main__":
    faulthandler.enable()
    asked = sys.argv[1:] + ["1000", "1", os.devnull, "30"][len(sys.argv) - 1:]
    found = fuzz(int(asked[0]), int(asked[1]), asked[2], int(asked[3]))
    for outcome, times in sorted(found.items()):
        print(times, outcome)
    sys.exit(1 if found["slow"] else 0)

"""Evaluator: the periods of evaluate, whatever the way to ask, and nothing but them."""
import collections
import decimal
import json
import math
import os
import pathlib
import random
import signal
import threading
from fractions import Fraction

import numpy
import pytest

import takt
from conftest import ROOT
from takt import _core
from wrong_mappings import problem_text, refuse_many, right_mapping

MODELS = ["overlap", "strict", "bounded"]


def core_evaluator(seed, model, stages=6, processors=9):
    text = problem_text(seed, stages, processors)
    replicable = [stage.get("replicable", True) for stage in json.loads(text)["application"]["stages"]]
    return _core.Evaluator(_core.Document(text.encode(), "document"), model), replicable


def mappings_of(draw, evaluator, replicable, count):
    return [right_mapping(draw, replicable, len(evaluator.processors)) for _ in range(count)]


def arrays_of(mappings):
    counts = [part[0] for mapping in mappings for part in mapping]
    widths = [len(part[1]) for mapping in mappings for part in mapping]
    processors = [processor for mapping in mappings for part in mapping for processor in part[1]]
    offsets = numpy.cumsum([0] + [len(mapping) for mapping in mappings])
    return [numpy.array(numbers, dtype=numpy.int32) for numbers in (offsets, counts, widths, processors)]


def evaluated(evaluator, mapping):
    return takt.evaluate(json.loads(evaluator.document(mapping)), model=evaluator.model, rooms=evaluator.rooms).period


@pytest.mark.parametrize("model, count", [("overlap", 252), ("strict", 252), ("bounded", 60)])
def test_periods_are_those_of_evaluate(model, count):
    draw = random.Random(1)
    for seed in range(4):
        evaluator, replicable = core_evaluator(seed, model)
        for mapping in mappings_of(draw, evaluator, replicable, count // 4):
            period = evaluator.period(mapping)
            assert type(period) is Fraction and period == evaluated(evaluator, mapping)
            assert math.gcd(period.numerator, period.denominator) == 1
            assert evaluator.max_cycle_time(mapping) <= period


@pytest.mark.parametrize("model", MODELS)
def test_workflows_are_evaluated_like_chains(model):
    draw = random.Random(2)
    for seed in range(4):
        document = takt.generate("workflow", seed=seed, shape="layered", stages=6, shortcuts=1)
        document.pop("mapping")
        evaluator = takt.Evaluator(document, model=model)
        mappings = [right_mapping(draw, [True] * 6, len(evaluator.processors)) for _ in range(20)]
        periods = evaluator.periods(mappings)
        assert list(evaluator.periods_of_arrays(*arrays_of(mappings))) == [float(period) for period in periods]
        for mapping, period in zip(mappings, periods):
            assert period == takt.evaluate(evaluator.document(mapping), model=model).period


@pytest.mark.parametrize("model", MODELS)
def test_segments_count(model):
    document = json.loads(pathlib.Path("examples/racks.json").read_text(encoding="utf-8"))
    evaluator = takt.Evaluator(document, model=model)
    mapping = evaluator.parts(document)
    period = evaluator.period(mapping)
    assert period == takt.evaluate(document, model=model).period
    assert evaluator.max_cycle_time(mapping) <= period
    document["platform"]["segments"][0]["ports"] = 2
    wider = takt.Evaluator(document, model=model).period(mapping)
    assert wider == takt.evaluate(document, model=model).period
    if model == "overlap":
        assert (evaluator.max_cycle_time(mapping), period, wider) == (
            Fraction(1, 25),  # the uplink's
            Fraction(1, 25),
            Fraction(3, 100),
        )


@pytest.mark.parametrize("model", MODELS)
def test_all_ways_give_the_same(model):
    draw = random.Random(2)
    evaluator, replicable = core_evaluator(5, model)
    count = 3000 if model != "bounded" else 100
    mappings = mappings_of(draw, evaluator, replicable, count)
    one_by_one = [evaluator.period(mapping) for mapping in mappings]
    names = [[(n, [evaluator.processors[p] for p in processors]) for n, processors in m] for m in mappings]
    assert evaluator.periods(mappings) == one_by_one
    assert evaluator.periods(tuple(names)) == one_by_one
    assert evaluator.periods((mapping for mapping in mappings), threads=3) == one_by_one
    decimals = numpy.array([float(period) for period in one_by_one])
    assert numpy.array_equal(evaluator.periods(mappings, exact=False, threads=2), decimals)
    arrays = arrays_of(mappings)
    assert numpy.array_equal(evaluator.periods_of_arrays(*arrays), decimals)
    assert evaluator.periods_of_arrays(*(a.astype(numpy.int64) for a in arrays), exact=True, threads=2) == one_by_one
    cutoff = sorted(one_by_one)[count // 2]
    better = [period if period < cutoff else None for period in one_by_one]
    assert [evaluator.period(mapping, cutoff) for mapping in mappings] == better
    assert evaluator.periods(mappings, cutoff=cutoff, threads=2) == better
    expected = numpy.array([math.nan if period is None else float(period) for period in better])
    found = evaluator.periods_of_arrays(*arrays, cutoff=cutoff)
    assert numpy.array_equal(found, expected, equal_nan=True)


def test_a_mapping_has_several_forms():
    evaluator, replicable = core_evaluator(3, "strict")
    mapping = right_mapping(random.Random(3), replicable, 9)
    period = evaluator.period(mapping)
    document = json.loads(evaluator.document(mapping))
    assert evaluator.period(document["mapping"]) == period
    assert evaluator.period(tuple((numpy.int8(n), numpy.array(p)) for n, p in mapping)) == period
    assert evaluator.period([[n, collections.deque(p)] for n, p in mapping]) == period
    assert evaluator.period([(1, range(i, i + 1)) for i in range(6)]) == evaluator.period([(1, [i]) for i in range(6)])
    assert evaluator.parts(_core.Document(json.dumps(document).encode(), "document")) == mapping
    assert evaluator.period([(6, ["P0"])]) == evaluator.period([(6, [0, 0])])


def test_cutoffs_are_exact_numbers():
    evaluator, _ = core_evaluator(3, "overlap")
    mapping = [(6, [0])]
    period = evaluator.period(mapping)
    above = period + Fraction(1, 10**30)
    for cutoff in (period, f"{period.numerator}/{period.denominator}", 0, -1, -(10**400), 0.1, numpy.int64(0), "-1e5"):
        assert evaluator.period(mapping, cutoff=cutoff) is None
    huge = [10**400, float("inf"), None, decimal.Decimal("1e30"), 1e30, numpy.float32(1e30), "1e30"]
    for cutoff in [above, *huge]:
        assert evaluator.period(mapping, cutoff=cutoff) == period
    for cutoff, error in [
        ("x", ValueError), (float("nan"), ValueError), (-math.inf, ValueError), (True, TypeError), ([], TypeError),
        (1j, TypeError), (int, TypeError), (decimal.Decimal("nan"), ValueError),
    ]:
        with pytest.raises(error, match="^cutoff: found .*, expected "):
            evaluator.period(mapping, cutoff=cutoff)


def test_numbers_of_any_size_are_exact():
    big = 10**600 + 7
    fields = {
        "application": {"stages": [{"name": "A", "work": f"{big}/3"}]},
        "platform": {"processors": [{"name": "P", "speed": "1/7"}, {"name": "Q", "speed": 1}]},
    }
    evaluator = _core.Evaluator(_core.Document(json.dumps(fields).encode(), "document"), "strict")
    assert evaluator.period([(1, ["P"])]) == Fraction(7 * big, 3)
    assert evaluator.period([(1, ["P"])], cutoff=Fraction(7 * big, 3)) is None
    assert evaluator.period([(1, ["P"])], cutoff=Fraction(7 * big, 3) + 1) == Fraction(7 * big, 3)
    assert evaluator.periods([[(1, ["P"])]], exact=False)[0] == math.inf


def test_random_wrong_mappings_are_refused():
    assert sum(refuse_many(600, 1).values()) == 600


WRONG = [
    ([(6, [99])], ValueError, "part 0: found processor 99, expected 0 to 8"),
    ([(2, [0]), (4, [-1])], ValueError, "part 1: found processor -1, expected 0 to 8"),
    ([(6, ["P99"])], ValueError,
     'part 0: found the unknown processor "P99", expected the name of a processor of the platform'),
    ([(2, [0]), (3, [0])], ValueError,
     "part 1: found 3 stages in the last part, expected 4: the parts hold all 6"),
    ([(2, [0]), (5, [0])], ValueError, "part 1: found 5 stages, expected 1 to 4"),
    ([(6, [0]), (1, [0])], ValueError, "part 1: found 1 stages, expected no part behind the last stage"),
    ([(6, [])], ValueError, "part 0: found no processor, expected at least one"),
    ([(6, [True])], TypeError, "part 0: found True, expected the number or the name of a processor"),
    ([(6, [2**70])], ValueError,
     "part 0: found processor number of more than 64 bits, expected 0 to 8"),
    ([(6, "P0")], TypeError, 'part 0: found the text "P0", expected a sequence of processors'),
    ([(None, [0])], TypeError, "part 0: found None, expected a number of stages"),
    ([6], TypeError, "part 0: found the number 6, expected (number of stages, sequence of processors)"),
    ([{"stages": ["S1"], "processors": [0]}], ValueError, 'part 0: found stage "S1", expected "S0"'),
    ([{"stages": ["S0"], "processors": [0], "speed": 1}], ValueError,
     'part 0: found the unknown key "speed", expected "stages" and "processors"'),
    ([], ValueError, "found no part, expected parts that hold 6 stages"),
    ({}, TypeError, "found a value of type dict, expected a mapping: a sequence of parts"),
]


@pytest.mark.parametrize("mapping, error, text", WRONG)
def test_messages_say_which_part_is_wrong(mapping, error, text):
    evaluator, _ = core_evaluator(3, "strict")
    for ask in (evaluator.period, evaluator.max_cycle_time, evaluator.document):
        with pytest.raises(error) as found:
            ask(mapping)
        assert str(found.value) == text
    right = [(6, [0])]
    for threads in (1, 3):
        with pytest.raises(error) as found:
            evaluator.periods([right] * 2000 + [mapping, [(6, [77])]] + [right] * 2000, threads=threads)
        assert str(found.value) == "mapping 2000: " + text


def test_stages_that_are_not_replicable_stay_on_one_processor():
    evaluator, replicable = core_evaluator(3, "strict")
    stage = replicable.index(False)
    with pytest.raises(ValueError) as found:
        evaluator.period([(6, [0, 1])])
    assert str(found.value) == (
        f'part 0: found several processors for stage "S{stage}", which is not replicable, expected one and the same '
        "processor"
    )
    assert evaluator.period([(6, [1, 1])]) == evaluator.period([(6, [1])])


def refused_everywhere(evaluator, mapping):
    for ask in (evaluator.period, evaluator.max_cycle_time, evaluator.document):
        with pytest.raises(ValueError) as found:
            ask(mapping)
        yield str(found.value)


def test_mappings_that_no_document_may_have_are_refused():
    path = str(ROOT / "tests/data/world/evaluator-runs-on.json")
    evaluator = takt.Evaluator(path, model="overlap")
    assert set(refused_everywhere(evaluator, [(1, [1])])) == {
        'part 0: found stage "a" on "y", which its "runs on" rules out, expected a processor that runs it: "x"'
    }
    assert evaluator.period([(1, [0])]) == 2
    problem = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    problem["application"]["stages"] = [{"name": "a", "work": 2, "partitions": 3}]
    for text in refused_everywhere(takt.Evaluator(problem, model="overlap"), [(1, [0, 1])]):
        assert text.startswith('part 0: found 2 turns for stage "a", which has 3 partitions: ')


def test_rates_have_no_evaluator():
    with pytest.raises(takt.TaktError, match="stages with one file per firing"):
        takt.Evaluator(str(ROOT / "tests/data/world/consume.json"), model="overlap").period([(1, [0]), (1, [1])])


@pytest.mark.parametrize("changed, error, text", [
    ((0, [0, 2, 1, 3]), ValueError, "mapping 1: found offset 1, expected 2 to 3"),
    ((0, [1, 2, 3]), ValueError, "found offset 1, expected 0"),
    ((0, [0, 2]), ValueError, "offsets: found 2 as the last, expected the number of counts, 3"),
    ((0, [0, 2, 4]), ValueError, "mapping 1: found offset 4, expected 2 to 3"),
    ((0, []), ValueError, "offsets: found no number, expected one more than there are mappings"),
    ((0, [[0, 3]]), ValueError, "offsets: found an array of 2 dimensions, expected one"),
    ((1, [1, 4, 6]), ValueError,
     "mapping 0: part 1: found 4 stages in the last part, expected 5: the parts hold all 6"),
    ((1, [1, 5, 2**31]), ValueError, "counts: found 2147483648 as number 2, expected an integer of 32 bits"),
    ((1, [1, 5]), ValueError, "widths: found 3 numbers, expected one for each of 2 counts"),
    ((1, [1.0, 5.0, 6.0]), TypeError, "counts: found an array of float64, expected int32"),
    ((1, None), ValueError, "counts: found an array of 0 dimensions, expected one"),
    ((2, [1, 2, 1]), ValueError, "mapping 1: part 0: found a width of 1, expected 1 to the 0 processors that are left"),
    ((2, [1, -1, 1]), ValueError,
     "mapping 0: part 1: found a width of -1, expected 1 to the 2 processors that are left"),
    ((3, [0, 1, 2, 3]), ValueError, "processors: found 4 numbers, expected the sum of the widths, 3"),
    ((3, [0, 9, 2]), ValueError, "mapping 0: part 1: found processor 9, expected 0 to 8"),
    ((3, [0, 1, -1]), ValueError, "mapping 1: part 0: found processor -1, expected 0 to 8"),
])
def test_arrays_that_do_not_fit_are_refused(changed, error, text):
    evaluator, _ = core_evaluator(3, "strict")
    arrays = [[0, 2, 3], [1, 5, 6], [1, 1, 1], [0, 1, 2]]
    assert len(evaluator.periods_of_arrays(*arrays)) == 2
    arrays[changed[0]] = changed[1]
    with pytest.raises(error) as found:
        evaluator.periods_of_arrays(*arrays, threads=2)
    assert str(found.value).startswith(text)


def test_empty_batches_have_no_periods():
    evaluator, _ = core_evaluator(3, "strict")
    assert evaluator.periods([], threads=2) == []
    assert evaluator.periods([], exact=False).shape == (0,)
    assert evaluator.periods_of_arrays([0], [], [], []).shape == (0,)
    for threads in (0, -1, 257):
        with pytest.raises(ValueError, match="expected 1 to 256"):
            evaluator.periods([], threads=threads)


def test_what_is_too_large_has_bounds():
    fields = {
        "application": {"stages": [{"name": f"S{i}", "work": 1 + i, "output": 1} for i in range(6)]},
        "platform": {"processors": [{"name": f"P{i}", "speed": 1 + i % 7} for i in range(200)], "bandwidth": 1},
    }
    evaluator = _core.Evaluator(_core.Document(json.dumps(fields).encode(), "document"), "strict")
    first = 0
    wide = []
    for width in (31, 37, 29, 41, 23, 19):
        wide.append((1, list(range(first, first + width))))
        first += width
    with pytest.raises(takt.LimitReached) as found:
        evaluator.periods([[(6, [0])], wide])
    assert str(found.value).startswith("mapping 1: the net is too large for an Evaluator: the period is at least ")
    lower, upper = found.value.lower, found.value.upper
    assert lower == evaluator.max_cycle_time(wide) and lower < upper
    assert evaluator.period(wide, cutoff=lower) is None
    with pytest.raises(takt.LimitReached):
        evaluator.period(wide, cutoff=upper)


def test_a_time_that_is_missing_is_named():
    fields = {
        "application": {"stages": [{"name": "A", "work": 1}, {"name": "B", "work": 1}]},
        "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}]},
    }
    evaluator = _core.Evaluator(_core.Document(json.dumps(fields).encode(), "document"), "strict")
    assert evaluator.period([(2, [0])]) == 2
    with pytest.raises(takt.InvalidDocument) as found:
        evaluator.period([(1, [0]), (1, [1])])
    with pytest.raises(takt.InvalidDocument) as of_batch:
        evaluator.periods([[(2, [0])], [(1, [0]), (1, [1])]])
    assert str(of_batch.value) == "mapping 1: " + str(found.value)


def test_a_model_and_processors_are_needed():
    document = _core.Document(problem_text(1).encode(), "document")
    for model in ("", "none", "STRICT"):
        with pytest.raises(takt.UsageError):
            _core.Evaluator(document, model)
    with pytest.raises(takt.UsageError):
        _core.Evaluator(document, "strict", 2)
    assert _core.Evaluator(document, "bounded", 3).rooms == 3
    with open("examples/catalogue.json", "rb") as file:
        catalogue = _core.Document(file.read(), "catalogue.json")
    with pytest.raises(takt.InvalidDocument, match="no processors, only types"):
        _core.Evaluator(catalogue, "strict")


class Asking:
    """A processor whose number asks the same evaluator."""

    def __init__(self, evaluator):
        self.evaluator = evaluator

    def __index__(self):
        assert self.evaluator.periods([[(6, [1])]] * 10) == [self.evaluator.period([(6, [1])])] * 10
        return 0


def test_code_that_runs_while_a_mapping_is_read_may_ask_too():
    evaluator, _ = core_evaluator(3, "strict")
    assert evaluator.period([(6, [Asking(evaluator)] * 3)]) == evaluator.period([(6, [0, 0, 0])])


def test_threads_share_an_evaluator():
    evaluator, replicable = core_evaluator(5, "strict")
    mappings = mappings_of(random.Random(4), evaluator, replicable, 2500)
    expected = evaluator.periods(mappings)
    wrong = []

    def ask(kind):
        if kind == 0:
            found = [evaluator.period(mapping) for mapping in mappings]
        else:
            found = evaluator.periods(mappings, threads=kind)
        if found != expected:
            wrong.append(kind)

    threads = [threading.Thread(target=ask, args=(i % 3,)) for i in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong and not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_batch(threads):
    evaluator, replicable = core_evaluator(5, "strict")
    arrays = arrays_of(mappings_of(random.Random(4), evaluator, replicable, 1000))
    counts, widths, processors = (numpy.tile(numbers, 2000) for numbers in arrays[1:])
    offsets = numpy.concatenate([[0], numpy.cumsum(numpy.tile(numpy.diff(arrays[0]), 2000))]).astype(numpy.int32)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        evaluator.periods_of_arrays(offsets, counts, widths, processors, threads=threads)
    timer.join()
    assert len(evaluator.periods_of_arrays(*arrays)) == 1000


def test_names_of_machines_stand_for_their_cores():
    problem = takt.load(os.path.join(os.path.dirname(__file__), "..", "..", "examples", "cores.json"))
    evaluator = takt.Evaluator(problem, model="strict")
    whole = [{"stages": ["decode"], "processors": ["edge1", "edge2"]},
             {"stages": ["detect"], "processors": ["server1", "server2"]}]
    assert evaluator.period(whole) == takt.evaluate(problem, model="strict").period == Fraction(3, 250)
    by_core = [(1, [f"edge{h}.{c}" for h in (1, 2) for c in range(1, 5)]),
               (1, [f"server{h}.{c}" for h in (1, 2) for c in range(1, 7)])]
    assert evaluator.period(by_core) == Fraction(2, 125)
    assert evaluator.period([(1, ["edge1", 4]), (1, ["server1"])]) > evaluator.period(whole)
    with pytest.raises(ValueError, match="unknown processor \"edge3\""):
        evaluator.period([(1, ["edge3"]), (1, ["server1"])])

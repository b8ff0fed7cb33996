"""Answers as objects: fields of the types that they say, tables, copies, views."""
import builtins
import copy
import itertools
import json
import multiprocessing
import pickle
import re
import sys
import threading
import typing
from fractions import Fraction

import pytest

import takt
from conftest import EXAMPLES, ROOT, program
from takt import _records, _words
from takt._records import Record

MODELS = ("overlap", "strict", "bounded")
SCHEMAS = ROOT / "docs/schemas"
# Fields of the program that nothing in Python asks for.
ABSENT = {"line", "changed", "period_before"}
EXACT = {"period", "throughput"}  # of a Result: properties


def schema_of(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


COMMON = schema_of("common")


def resolved(node):
    """A node of a schema with what it refers to."""
    if "$ref" in node:
        kind, name = node["$ref"].split("#/")[1].split("/")
        return {"takt": name} if kind == "types" else resolved(COMMON[kind][name])
    whole = {}
    for part in node.get("allOf", ()):
        whole.update(resolved(part))
    return {**whole, **{key: value for key, value in node.items() if key != "allOf"}}


def bare(hint):
    """A type without None."""
    rest = [one for one in typing.get_args(hint) if one is not type(None)]
    return rest[0] if typing.get_origin(hint) is typing.Union and len(rest) == 1 else hint


def expect_as_schema(cls, node, met):
    """The class has a field for every property, of a type that holds what the schema allows."""
    hints = {_records._KEYS.get(name, name): hint for name, hint in cls._hints().items()}
    if cls is takt.Result:
        hints.update(dict.fromkeys(EXACT, Fraction))
    for key, value in node["properties"].items():
        if key in ABSENT or key.endswith("_decimal"):
            continue
        assert key in hints, f"{cls.__name__} has no {key}"
        met.add((cls, key))
        node_of_key, hint = resolved(value), bare(hints[key])
        items = resolved(node_of_key["items"]) if "items" in node_of_key else None
        if items is not None:
            assert typing.get_origin(hint) is list, (cls, key)
            node_of_key, hint = items, typing.get_args(hint)[0]
        kind = node_of_key.get("takt") or node_of_key.get("type")
        if "properties" in node_of_key:
            expect_as_schema(hint, node_of_key, met)
        elif kind == "exact":
            assert hint is Fraction, (cls, key)
        elif kind in ("count", "integer"):
            assert hint is int, (cls, key)
        elif kind in ("string", "boolean", "number"):
            assert hint in {"string": (str, *MODELS), "boolean": (bool,), "number": (float,)}[kind], (cls, key)


ANSWERS = [
    (takt.Result, schema_of("evaluate")["definitions"]["result"]),
    (takt.Verification, schema_of("verify")["definitions"]["result"]),
    (takt.Sensitivity, schema_of("sensitivity")["definitions"]["answer"]),
    (takt.Rooms, schema_of("rooms")),
    (takt.Plan, schema_of("plan")),
    (takt.Varied, schema_of("vary")["definitions"]["answer"]),
    (takt.VaryComparison, schema_of("vary")["definitions"]["comparison"]),
    (_records.MapReport, schema_of("map")["definitions"]["result"]),
]


def test_every_key_of_the_json_is_a_field_and_the_other_way_round():
    met = set()
    for cls, node in ANSWERS:
        expect_as_schema(cls, node, met)
    arcs = schema_of("cycle-ratio")["properties"]["cycle"]["properties"]["arcs"]["items"]["properties"]
    assert {_records._KEYS.get(name, name) for name in _records.CycleArc._hints()} == {
        key for key in arcs if not key.endswith("_decimal")
    }
    unmet = {
        (cls.__name__, name)
        for cls in {one for one, _ in met}
        for name in cls._hints()
        # Classes for several places know fields that some of these have not.
        if not any(_records._KEYS.get(name, name) == key for one, key in met if issubclass(one, cls) or one is cls)
    }
    assert not unmet


def expect_types(value, hint, path):
    """A value is of its type, and whatever is in it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union:
        if value is None:
            assert type(None) in arguments, f"{path} is None"
            return
        hint = next(one for one in arguments if one is not type(None))
        if len(arguments) - (type(None) in arguments) > 1:
            assert isinstance(value, arguments), path
            return
        expect_types(value, hint, path)
    elif origin is list:
        for i, item in enumerate(value):
            expect_types(item, arguments[0], f"{path}[{i}]")
    elif origin is dict:
        for key, item in value.items():
            expect_types(item, arguments[1], f"{path}[{key!r}]")
    else:
        assert hint is typing.Any or isinstance(value, hint), f"{path}: {value!r}"
        assert hint is not int or not isinstance(value, bool), path
        if isinstance(value, Record):
            expect_fields(value, path)


def expect_fields(record, path):
    for name, hint in record._hints().items():
        if _records._KEYS.get(name, name) in record.fields or type(None) in typing.get_args(hint):
            expect_types(getattr(record, name), hint, f"{path}.{name}")


def tried(call):
    try:
        return [call()]
    except takt.TaktError:
        return []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_fields_have_the_types_that_they_say(path):
    calls = [
        lambda model=model, call=call, more=more: call(path, model=model, **more)
        for model in MODELS
        for call, more in (
            (takt.evaluate, {"latency": True, "latency_curve": True, "circuit": "full"}),
            (takt.evaluate, {"method": "simulate", "estimate": True}),
            (takt.evaluate, {"max_rows": 1, "method": "unfold"}),
            (takt.sensitivity, {"floats": True, "curve": True, "time_limit": 3}),
            (takt.verify, {}),
        )
    ]
    calls += [lambda limit=limit: takt.rooms(path, time_limit=limit) for limit in (3, 1e-6)]
    answers = [answer for call in calls for answer in tried(call)]
    assert len(answers) >= 3
    for answer in answers:
        expect_fields(answer, f"{type(answer).__name__}")
        assert repr(answer).startswith(f"<takt.{type(answer).__name__} ")
        assert answer._repr_html_().startswith('<div class="takt-result">')
        again = pickle.loads(pickle.dumps(answer))
        assert again == answer and hash(again) == hash(answer) and again.messages == answer.messages


PLANS = [
    ("examples/catalogue.json", {"rate": 200, "losses": True, "upgrade": True}),
    ("examples/catalogue.json", {"frontier": True, "up_to": 60}),
    ("examples/catalogue.json", {"budget": 1, "model": "strict"}),
    ("examples/video-catalogue.json", {"rate": "100/s", "apart": True}),
]


@pytest.mark.parametrize("path, options", PLANS)
def test_fields_of_plans_have_the_types_that_they_say(path, options):
    plan = takt.plan(path, certificate="rate" in options and "apart" not in options, **options)
    expect_fields(plan, "Plan")
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan and again.document == plan.document and again.certificate == plan.certificate
    if "frontier" in options:
        assert plan.document is None and len(plan.frontier) > 1
        assert all(before.cost < after.cost for before, after in itertools.pairwise(plan.frontier))


def test_fields_of_reports_of_maps_have_the_types_that_they_say():
    for mapped in (
        takt.map("examples/hedpm-problem.json", "hedpm", trace=True),
        takt.map("examples/hedpm-problem.json", "random-sampling", trace=True, iterations=50),
        takt.map("examples/hedpm-problem.json", "all"),
    ):
        for report in mapped.reports:
            expect_fields(report, "MapReport")
        again = pickle.loads(pickle.dumps(mapped))
        assert again == mapped and again.reports == mapped.reports and type(again) is takt.Mapped
        assert copy.deepcopy(mapped) == mapped
        assert mapped._repr_html_()
    assert len(mapped.reports) > 3


def test_a_rate_of_a_problem_with_units_is_per_second():
    assert takt.plan("examples/catalogue.json", rate=200) == takt.plan("examples/catalogue.json", rate="200/s")
    plan = takt.plan("examples/catalogue.json", period=Fraction(1, 200), latency=0.2)
    assert plan.period <= Fraction(1, 200) and plan.latency <= Fraction(1, 5)
    assert takt.load("examples/racks.json").has_units and not takt.load("examples/example-a.json").has_units
    for name, target in (("racks", Fraction(1, 20)), ("example-a", 210)):
        path = f"examples/{name}.json"
        text = {"racks": "50 ms", "example-a": "210"}[name]
        found = [takt.sensitivity(path, model="overlap", target=one) for one in (target, text)]
        assert found[0] == found[1]
        assert any(one.target_value is not None for one in found[0].parameters)


def test_an_infeasible_plan_says_why():
    with pytest.raises(takt.Infeasible) as found:
        takt.plan("examples/catalogue.json", rate=200, machines={"small": 1})
    assert str(found.value) and str(found.value) != "no result"
    assert found.value.fields["found"] is False


def test_who_the_bottleneck_is():
    result = takt.evaluate("examples/weighted-round-robin.json", model="strict")
    assert (result.bottleneck.processor, result.bottleneck.kind) == ("encoder-old", "processor")
    assert result.bottleneck.cycle_time == result.max_cycle_time == max(one.cycle_time for one in result.resources)
    assert result.bottleneck.utilization == Fraction(427, 498)
    for path in EXAMPLES:
        for model in MODELS:
            for result in tried(lambda path=path, model=model: takt.evaluate(path, model=model)):
                assert result.bottleneck.fields.items() >= result.busiest_resource.fields.items()
                assert result.bottleneck.cycle_time == result.max_cycle_time


def test_what_is_misspelt_is_no_attribute():
    result = takt.evaluate("examples/example-a.json", model="strict")
    with pytest.raises(AttributeError, match="a takt.Result has no 'periode'; it has "):
        result.periode
    with pytest.raises(AttributeError, match="has no 'share'"):
        result.resources[0].share
    with pytest.raises(AttributeError, match="not to be changed"):
        result.period = 7
    assert {"period", "resources", "bottleneck", "latencies"} <= set(dir(result))


def evaluated(path):
    return takt.evaluate(path, model="strict", latency=True)


def period_of(evaluator):
    return evaluator.period([(len(evaluator.stages), [0])])


def test_a_pool_returns_all_of_it():
    context = multiprocessing.get_context("spawn")
    paths = [f"examples/{name}.json" for name in ("example-a", "example-b", "racks")]
    with context.Pool(2) as pool:
        results = pool.map(evaluated, paths)
        evaluator = takt.Evaluator("examples/hedpm-problem.json", model="overlap")
        assert pool.map(period_of, [evaluator]) == [period_of(evaluator)]
        document = takt.load("examples/example-a.json")
        assert pool.map(copy.copy, [document]) == [document]
    for path, result in zip(paths, results, strict=True):
        here = evaluated(path)
        assert result == here and result.period == here.period and result.bounds == here.bounds
        assert takt.check(path, result.certificate) is None
        assert result.table() == here.table() and str(result.net) == str(here.net)


def test_copies_and_comparisons():
    result = evaluated("examples/example-a.json")
    assert copy.copy(result) == copy.deepcopy(result) == result
    # The same answer, whatever the document is called; another one under another model.
    assert takt.evaluate(takt.load("examples/example-a.json").fields, model="strict", latency=True) == result
    assert result != takt.evaluate("examples/example-a.json", model="overlap", latency=True)
    assert result != result.fields and len({result, evaluated("examples/example-a.json")}) == 1
    document = takt.load("examples/example-a.json")
    spaced = takt.Document.parse(json.dumps(document.fields, indent=7))
    assert document == spaced == pickle.loads(pickle.dumps(document)) == copy.deepcopy(document)
    assert hash(document) == hash(spaced) and document != takt.load("examples/example-b.json")
    firings = takt.simulate(document, model="strict", data_sets=5)
    assert firings == pickle.loads(pickle.dumps(firings)) != takt.simulate(document, model="strict", data_sets=6)
    assert result.net == pickle.loads(pickle.dumps(result.net)) == copy.copy(result.net)


def test_a_result_that_was_pickled_and_cannot_be_had_again_says_so(monkeypatch):
    result = pickle.loads(pickle.dumps(evaluated("examples/example-a.json")))
    other = takt._core.evaluate(takt.load("examples/example-b.json")._core, ["--model=strict"])
    monkeypatch.setattr(takt._core, "evaluate", lambda document, arguments: other)
    assert result.period == Fraction(692, 3)
    with pytest.raises(takt.LimitReached, match="other bounds than before"):
        result.certificate


def test_errors_keep_their_fields_when_pickled():
    errors = []
    for call in (
        lambda: takt.evaluate({"application": 7}, model="strict"),
        lambda: takt.evaluate("examples/example-b.json", model="strict", max_rows=1).period,
        lambda: takt.plan("examples/catalogue.json", rate=200, machines={"small": 1}),
        lambda: takt.cycle_ratio([0], [0], [1], [0]),
        lambda: takt.cycle_ratio([0], [1], [1]),
    ):
        with pytest.raises(takt.TaktError) as found:
            call()
        errors.append(found.value)
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)


def test_star_hides_nothing_of_python():
    names = {}
    exec("from takt import *", names)  # noqa: S102
    assert not set(vars(builtins)) & (set(names) - {"__builtins__"})
    assert "evaluate" in names and callable(takt.map)


def test_words_are_those_of_the_program():
    def listed(command, option):
        text = re.sub(r"\s+", " ", program("help", command)[1])
        return text[text.index(option):][:250]

    assert set(typing.get_args(_words.Heuristic)) == set(takt.heuristics())
    assert set(typing.get_args(_words.Generator)) == set(takt.generators())
    for words, command, option in (
        (_words.Model, "evaluate", "--model"), (_words.Method, "evaluate", "--method"),
        (_words.Solver, "evaluate", "--solver"), (_words.Schedule, "gantt", "--schedule"),
        (_words.Coloring, "gantt", "--color"), (_words.PlanClass, "plan", "--among"),
        (_words.ExportFormat, "export", "--to"),
    ):
        said = typing.get_args(words)
        message = program(command, "-", f"{option}=none", text="{}")[2]
        assert set(re.findall(r"[a-z][a-z0-9-]*", message.splitlines()[0].split("expected")[1])) - {"or"} == set(said)
        assert all(word in listed(command, option) for word in said)


def test_numbers_that_are_none_are_value_errors():
    assert takt.exact("692/3") == Fraction(692, 3) and takt.exact(0.1) == Fraction(1, 10)
    for text in ("1/0", "x", "", "1/", "nan"):
        with pytest.raises(ValueError, match="^found .*, expected a number"):
            takt.exact(text)
    with pytest.raises(TypeError, match="^values: found int, expected a dict"):
        takt.changed("examples/example-a.json", 5)


def test_data_frames_have_numbers():
    pandas = pytest.importorskip("pandas", reason="no pandas (Debian's python3-pandas): data frames are not tested")
    result = takt.evaluate("examples/weighted-round-robin.json", model="strict", latency=True)
    frame = result.to_pandas()
    assert list(frame.columns) == ["processor", "kind", "cycle_time", "utilization"]
    assert frame.cycle_time.dtype == frame.utilization.dtype == "float64"
    assert frame.set_index("processor").cycle_time["encoder-old"] == float(Fraction(427, 30))
    strict = [takt.evaluate(path, model="strict") for path in EXAMPLES]
    rows = takt.to_pandas([result, *strict])
    assert rows.period.dtype == rows.max_cycle_time.dtype == rows["latencies.least_latency"].dtype == "float64"
    assert rows.hyper_period.dtype in ("int64", "Int64") and rows.has_critical_resource.dtype in ("bool", "boolean")
    assert list(rows.period[1:]) == [float(one.period) for one in strict]
    interval = takt.evaluate("examples/example-b.json", model="strict", max_rows=1)
    assert pandas.isna(takt.to_pandas([interval, result]).period[0])
    for answer, rows in (
        (takt.sensitivity("examples/example-a.json", model="strict"), "parameters"),
        (takt.rooms("examples/example-a.json"), "buffers"),
        (takt.verify("examples/hedpm-case-study.json", model="strict"), "periods"),
        (takt.plan("examples/catalogue.json", rate=200), "parts"),
        (takt.cycle_ratio("abc", "bca", [3, "7/2", 1], [0, 0, 2]), "cycle"),
    ):
        frame = answer.to_pandas()
        assert len(frame) == len(getattr(answer, rows)) > 0
        assert any(dtype in ("float64", "int64") for dtype in frame.dtypes)
    assert takt.sensitivity("examples/example-a.json", model="strict").to_pandas()["faster.period"].dtype == "float64"
    assert len(takt.simulate("examples/example-a.json", model="strict", data_sets=9).to_pandas()) == 63
    mapped = [takt.map("examples/hedpm-problem.json", name) for name in ("bsc", "greedy")]
    assert list(takt.to_pandas(mapped).predicted_period) == [float(one.predicted_period) for one in mapped]
    with pytest.raises(TypeError, match="expected answers"):
        takt.to_pandas([7])


def test_without_pandas_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    result = takt.evaluate("examples/example-a.json", model="strict")
    for call in (result.to_pandas, lambda: takt.to_pandas([result]),
                 takt.simulate("examples/example-a.json", model="strict", data_sets=2).to_pandas):
        with pytest.raises(ImportError, match="needs pandas .*python3-pandas"):
            call()


def test_numbers_beyond_floats_are_infinite(example_a):
    pytest.importorskip("pandas", reason="no pandas (Debian's python3-pandas): data frames are not tested")
    example_a["platform"]["links"][1]["time"] = 10**300
    example_a["platform"]["links"][0]["time"] = f"{10**400}"
    frame = takt.evaluate(example_a, model="strict").to_pandas()
    assert max(frame.cycle_time) == float("inf")


def test_views_show_what_cannot_act():
    bad = "<script>alert(1)</script>"
    fields = {
        "application": {"stages": [{"name": bad, "work": 1, "output": 1}, {"name": "B", "work": 2}]},
        "platform": {"processors": [{"name": bad, "speed": 1}, {"name": "Q", "speed": 2}], "bandwidth": 1},
    }
    mapped = takt.map(fields, "greedy", model="overlap")
    evaluator = takt.Evaluator(fields, model="overlap")
    shown = [
        takt.verify(mapped), takt.sensitivity(mapped), takt.rooms(mapped), mapped, evaluator,
        takt.Document.parse(json.dumps(fields)), takt.simulate(mapped, data_sets=3),
        takt.cycle_ratio([bad, "b"], ["b", bad], [1, 2]),
    ]
    for one in shown:
        text = one._repr_html_()
        assert "<script" not in text and text.startswith("<div"), one
    assert "&lt;script" in shown[0]._repr_html_() + shown[3]._repr_html_()


def test_a_long_period_lets_other_threads_run():
    stages = [{"name": f"S{i}", "work": 1 + i, "output": 1} for i in range(100)]
    processors = [{"name": f"P{i}", "speed": 1 + i % 7} for i in range(100)]
    fields = {"application": {"stages": stages}, "platform": {"processors": processors, "bandwidth": 1}}
    evaluator = takt.Evaluator(fields, model="bounded")
    mapping, first = [], 0
    for width in (16, 27, 25, 11):
        mapping.append((1, list(range(first, first + width))))
        first += width
    mapping[-1] = (97, mapping[-1][1])
    counted, ended = [0], threading.Event()

    def count():
        while not ended.wait(0.001):
            counted[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    evaluator.period([(100, [0])])
    before = counted[0]
    calls = 10
    for _ in range(calls):
        evaluator.period(mapping)
    after = counted[0]
    ended.set()
    counter.join()
    # A call takes some 50 ms. If it kept the lock, one or two would be counted on the way into it.
    assert after - before > 3 * calls

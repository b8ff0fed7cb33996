"""What Python says is what the program says."""
import json
import os
from fractions import Fraction

import pytest

import takt
from conftest import EXAMPLES, ROOT, program

MODELS = ("overlap", "strict")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_has_the_fields_of_the_program(path, model):
    name = str(path.relative_to(ROOT))
    status, printed, _ = program("evaluate", name, "--model", model, "--json")
    assert status == 0
    result = takt.evaluate(name, model=model)
    assert result.fields == json.loads(printed)
    assert result.period == Fraction(json.loads(printed)["period"])
    # A dict and a document that was read before have the same answer, under another name.
    for source in (json.loads(path.read_text(encoding="utf-8")), takt.load(name)):
        again = dict(takt.evaluate(source, model=model).fields, file=name)
        assert again == result.fields


def test_random_mappings_have_the_periods_of_the_program(tmp_path):
    documents = [
        takt.generate("replicated-mapping", seed=seed, stages=2 + seed % 4, processors=6 + seed % 5)
        for seed in range(1, 1 + int(os.environ.get("TAKT_PYTHON_DRAWS", 50)))
    ]
    lines = tmp_path / "documents.jsonl"
    lines.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    for model in MODELS:
        status, printed, _ = program("evaluate", lines, "--lines", "--json", "--model", model)
        assert status == 0
        for document, line in zip(documents, printed.splitlines(), strict=True):
            assert takt.evaluate(document, model=model).period == Fraction(json.loads(line)["period"])


def test_table_and_text_are_those_of_the_program():
    _, printed, _ = program("evaluate", "examples/example-a.json", "--model", "strict")
    result = takt.evaluate("examples/example-a.json", model="strict")
    assert str(result) == printed
    assert result.table() == printed
    assert repr(result) == "<takt.Result examples/example-a.json, strict: period 692/3>"
    assert result.throughput == Fraction(3, 692)


def test_options_are_those_of_the_program():
    _, printed, _ = program(
        "evaluate", "examples/example-a.json", "--model", "strict", "--json", "--method", "unfold", "--solver", "karp",
        "--circuit", "full", "--latency", "--window", "9",
    )
    name = "examples/example-a.json"
    options = {"method": "unfold", "solver": "karp", "circuit": "full", "latency": True, "window": 9}
    result = takt.evaluate(name, model="strict", **options)
    assert result.fields == json.loads(printed)


def test_certificates_pass_between_python_and_the_program(tmp_path):
    for path in EXAMPLES:
        name = str(path.relative_to(ROOT))
        ours = takt.evaluate(name, model="strict").certificate
        theirs = tmp_path / "theirs.json"
        assert program("evaluate", name, "--model", "strict", "--certificate", theirs)[0] == 0
        assert ours == json.loads(theirs.read_text(encoding="utf-8"))
        assert takt.check(name, ours) is None
        assert takt.check(name, theirs) is None
        kept = tmp_path / "ours.json"
        kept.write_text(json.dumps(ours), encoding="utf-8")
        assert program("check", name, kept)[0] == 0


def test_a_forged_certificate_is_refused(example_a):
    certificate = takt.evaluate(example_a, model="strict").certificate
    certificate["period"] = "230"
    reason = takt.check(example_a, certificate)
    assert isinstance(reason, str) and reason
    with pytest.raises(takt.InvalidDocument):
        takt.check(example_a, {"no": "certificate"})


def test_fractions_and_decimals_are_exact(example_a):
    from decimal import Decimal

    def period_with(time):
        example_a["platform"]["links"][1] = dict(example_a["platform"]["links"][1], time=time)
        return takt.evaluate(example_a, model="strict").period

    assert period_with(Fraction(517, 3)) == period_with("517/3")
    assert period_with(Decimal("172.1")) == period_with(172.1) == period_with("1721/10")
    assert period_with(10**30) > 10**29


def test_an_interval_says_what_is_proved():
    result = takt.evaluate("examples/example-b.json", model="strict", max_rows=1)
    lower, upper = result.bounds
    assert not result.exact and lower < upper
    with pytest.raises(takt.LimitReached) as met:
        result.period
    assert (met.value.lower, met.value.upper) == (lower, upper)
    exact = takt.evaluate("examples/example-b.json", model="strict").period
    assert lower <= exact <= upper


def test_verify_sensitivity_and_rooms_are_the_programs():
    for command, call, options in (
        ("verify", takt.verify, {"model": "strict", "tolerance": "5%"}),
        ("sensitivity", takt.sensitivity, {"model": "strict", "target": 210}),
        ("rooms", takt.rooms, {}),
    ):
        name = "examples/hedpm-case-study.json" if command == "verify" else "examples/example-a.json"
        arguments = [text for key, value in options.items() for text in (f"--{key}", value)]
        _, printed, _ = program(command, name, "--json", *arguments)
        assert call(name, **options).fields == json.loads(printed)


def test_changed_parameters():
    link = "/platform/links/1/time"
    wider = takt.changed("examples/racks.json", {"uplink ports": 2, "store-1 ports": "unlimited"})
    assert wider["platform"]["segments"][0]["ports"] == 2
    assert takt.evaluate(wider, model="overlap").period == Fraction(3, 100)
    faster = takt.changed("examples/example-a.json", {link: 174})
    assert takt.evaluate(faster, model="strict").period < Fraction(692, 3)
    assert takt.sensitivity(faster, model="strict", parameter=link).parameters[0].value == 174


def test_map_gives_the_document_of_the_program():
    status, printed, _ = program("map", "examples/hedpm-problem.json", "--heuristic", "bsc")
    mapped = takt.map("examples/hedpm-problem.json", "bsc")
    assert status == 0
    assert mapped == json.loads(printed)
    assert mapped.report.heuristic == "bsc"
    assert takt.evaluate(mapped).period == mapped.predicted_period
    best = takt.map("examples/hedpm-problem.json")
    assert takt.evaluate(best).period == best.predicted_period <= takt.evaluate(mapped).period
    for heuristic in ("greedy", "all"):  # times with units
        units = takt.map("examples/racks.json", heuristic, model="overlap")
        assert isinstance(units["predicted_period"], str) and units["predicted_period"].endswith("s")
        assert takt.evaluate(units, model="overlap").period == units.predicted_period
    few = takt.map("examples/hedpm-problem.json", "random-sampling", iterations=20, seed=3)
    assert few.report.heuristic == "random-sampling"
    ahead = takt.map("tests/data/server-only.json", "polish", model="overlap", ahead="best")
    assert ahead["transfers"] and ahead.report.ahead.applied
    assert takt.evaluate(ahead, model="overlap").period == ahead.report.ahead.period


UNITS = {
    "application": {"stages": [{"name": "a", "work": "3e9", "output": "1 MB"}, {"name": "b", "work": "1e9"}]},
    "platform": {"processors": [{"name": "p", "speed": "1e9/s"}, {"name": "q", "speed": "7e9/s"}], "bandwidth": "1 Gbit/s"},
}


@pytest.mark.parametrize("name", ["examples/hedpm-problem.json", "units.json"])
def test_map_takes_a_function_as_heuristic(name, tmp_path):
    def first(evaluator):
        return [(len(evaluator.stages), [len(evaluator.processors) - 1])]

    path = name
    if name == "units.json":
        path = str(tmp_path / name)
        (tmp_path / name).write_text(json.dumps(UNITS), encoding="utf-8")
    for function, called in ((first, "first"), (lambda evaluator: first(evaluator), "<lambda>")):
        for model in (*MODELS, "bounded"):
            mapped = takt.map(path, function, model=model)
            assert mapped.predicted_period == takt.evaluate(mapped).period == mapped.report.periods[0].period
            assert (mapped.report.heuristic, mapped.report.file, mapped.report.model) == (called, path, model)
            assert takt.verify(mapped).holds and takt.verify(mapped).heuristic == called
            kept = tmp_path / "mapped.json"
            kept.write_text(json.dumps(mapped), encoding="utf-8")
            assert program("verify", kept)[0] == 0
    with pytest.raises(ValueError, match="^found no part"):
        takt.map(path, lambda evaluator: [], model="strict")
    with pytest.raises(takt.UsageError, match="^seed does not go with a function"):
        takt.map(path, first, model="strict", seed=3)
    with pytest.raises(ZeroDivisionError):
        takt.map(path, lambda evaluator: 1 / 0, model="strict")


def test_plan_gives_the_plan_of_the_program():
    _, printed, _ = program("plan", "examples/catalogue.json", "--rate", "200/s", "--losses", "--json")
    plan = takt.plan("examples/catalogue.json", rate="200/s", losses=True, certificate=True)
    assert plan.fields == json.loads(printed)
    assert takt.check(plan.document, plan.certificate) is None
    with pytest.raises(takt.Infeasible):
        takt.plan("examples/catalogue.json", rate="200/s", machines={"small": 1})


def test_maps_and_plans_of_workflows_are_those_of_the_program():
    mapped = takt.map("examples/video-analytics.json", "polish", model="strict")
    assert takt.evaluate(mapped).period == mapped.predicted_period
    _, printed, _ = program("plan", "examples/video-catalogue.json", "--rate", "100/s", "--apart", "--json")
    plan = takt.plan("examples/video-catalogue.json", rate="100/s", apart=True)
    assert plan.fields == json.loads(printed)
    assert plan.document["transfers"] == [{"from": 0, "to": 3, "ahead": 5, "room": 7}]
    assert takt.evaluate(plan.document).period == Fraction(1, 100)


def test_simulate_plays_what_the_program_plays():
    name = "examples/example-a.json"
    _, printed, _ = program("simulate", name, "--model", "strict", "--data-sets", 12, "--format", "csv")
    firings = takt.simulate(name, model="strict", data_sets=12)
    lines = printed.splitlines()
    head = lines[0].split(",")
    start, end = head.index("start"), head.index("end")
    times = [(Fraction(line.split(",")[start]), Fraction(line.split(",")[end])) for line in lines[1:]]
    played = [
        (Fraction(int(a), firings.scale), Fraction(int(b), firings.scale))
        for a, b in zip(firings.start_ticks, firings.end_ticks, strict=True)
    ]
    assert played == times
    assert len(firings) == 12 * len(firings.columns)
    assert firings.start_ticks.dtype == "int64" and firings.start.dtype == "float64"
    assert list(firings.data_set) == sorted(firings.data_set)


@pytest.mark.parametrize("form", ["pnml", "tina", "sdf3", "csdf", "graph"])
def test_exports_are_those_of_the_program(form):
    _, printed, _ = program("export", "examples/example-a.json", "--model", "strict", "--to", form)
    assert takt.export("examples/example-a.json", form, model="strict") == printed


def test_drawings_and_pages():
    result = takt.evaluate("examples/example-a.json", model="strict")
    assert result.net._repr_svg_().startswith("<svg")
    assert takt.evaluate("examples/example-b.json", model="strict").net._repr_svg_().startswith("<svg")
    assert takt.gantt("examples/example-a.json", model="strict")._repr_svg_().startswith("<svg")
    page = takt.report("examples/example-a.json", model="strict")
    assert str(page).lower().startswith("<!doctype html>")
    assert "srcdoc" in page._repr_html_()
    assert takt.dot("examples/example-a.json", model="strict").startswith("digraph")


def test_a_notebook_shows_what_cannot_act(example_a):
    example_a["platform"]["processors"][0]["name"] = "<script>alert(1)</script>"
    for part in example_a["mapping"]:
        part["processors"] = ["<script>alert(1)</script>" if p == "P0" else p for p in part["processors"]]
    text = json.dumps(example_a).replace('"P0"', '"<script>alert(1)</script>"')
    shown = takt.evaluate(json.loads(text), model="strict")._repr_html_()
    assert "<script" not in shown and "&lt;script" in shown
    assert "230.667 time units per data set, exactly 692/3" in shown


def test_the_program_is_there():
    output = takt.run(["evaluate", "-", "--model", "strict"], (ROOT / "examples/example-a.json").read_text())
    assert output.status == 0 and "692/3" in output.out
    assert takt.__version__ == program("--version")[1].split()[1]
    assert takt.heuristics() and takt.generators()


def test_machines_that_are_there_cost_nothing():
    plan = takt.plan(str(ROOT / "examples/catalogue.json"), rate=200, have={"small": 20, "large": 1})
    assert plan.have == {"small": 20, "large": 1}
    assert plan.to_add.machines == {"small": 7, "large": 1}
    assert plan.to_add.cost == takt.exact("0.46")
    assert plan.to_add.any_mapping_cost_lower_bound == takt.exact("0.40")
    assert plan.to_add.plan is None
    assert plan.cost == takt.exact("1.57")


def test_plans_from_what_runs_set_up_as_few_machines_as_can_be():
    catalogue = str(ROOT / "examples/catalogue.json")
    running = takt.plan(catalogue, rate=200)
    same = takt.plan(catalogue, rate=200, from_=running.document)
    assert same.changes.setup_count == 0 and same.changes.staying_count == 29
    assert same.document["mapping"] == running.document["mapping"]
    more = takt.plan(catalogue, rate=300, from_=running.document, setup_price="0.25")
    assert more.changes.setup_price == takt.exact("0.25")
    assert sum(part.staying_count for part in more.parts) == more.changes.staying_count
    assert takt.evaluate(more.document).period <= takt.exact("1/300")
    with pytest.raises(takt.UsageError, match="from_ goes with rate or period"):
        takt.plan(catalogue, budget=2, from_=running.document)


def test_plans_of_a_schedule_cost_their_phases():
    catalogue = str(ROOT / "examples/catalogue.json")
    day = takt.plan(catalogue, schedule="8h 300/s, 16h 50/s").plan_schedule
    assert day.lasts == 24 and day.cost == day.cost_lower_bound
    assert day.cost == sum(phase.lasts * phase.plan.cost for phase in day.phases)
    assert day.phases[1].plan.cost == takt.plan(catalogue, rate=50).cost


def test_plans_at_spot_prices_keep_a_rate_on_demand():
    catalogue = json.loads((ROOT / "examples/catalogue.json").read_text())
    for kind in catalogue["platform"]["types"]:
        kind["spot price"] = kind["price"] / 4
    plan = takt.plan(catalogue, rate=200, on_demand=50)
    assert plan.target.on_demand == 50 and plan.on_demand_period <= takt.exact("1/50")
    assert all(0 < part.on_demand_count <= part.machine_count for part in plan.parts)
    assert takt.plan(catalogue, rate=200, on_demand="0/s").cost < plan.cost < takt.plan(catalogue, rate=200).cost
    with pytest.raises(takt.UsageError, match="on_demand: found a higher rate"):
        takt.plan(catalogue, rate=200, on_demand=300)


def test_pipelines_beside_each_other_share_one_stock():
    catalogue = str(ROOT / "examples/catalogue.json")
    both = takt.plan(catalogue, rate=200, beside=[f"{catalogue} 20/s"])
    assert [pipeline.file for pipeline in both.pipelines] == [catalogue, catalogue]
    assert both.stock_cost == sum(pipeline.plan.cost for pipeline in both.pipelines)
    assert both.pipelines[0].plan.cost == takt.plan(catalogue, rate=200).cost
    assert both.optimal and both.document is None


def test_price_ranges_hold_at_their_ends():
    catalogue = json.loads((ROOT / "examples/catalogue.json").read_text())
    ranges = takt.plan(catalogue, rate=200, price_ranges=True).price_ranges
    assert [(row.type, row.highest_price is None) for row in ranges] == [("small", False), ("large", False), ("gpu", True)]
    gpu = ranges[2]
    for factor, stays in ((1, True), (0.999, False)):
        catalogue["platform"]["types"][2]["price"] = float(gpu.lowest_price) * factor
        assert (takt.plan(catalogue, rate=200).cost == takt.exact("1.57")) == stays

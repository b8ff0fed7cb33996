"""takt.vary: what the program says, and latencies as arrays."""

import json
import pathlib

import numpy
import pytest

import takt

ROOT = pathlib.Path(__file__).resolve().parents[2]
JITTER = str(ROOT / "examples/video-jitter.json")
SHORT = {"copies": 16, "data_sets": 400}


def test_it_is_what_the_program_says():
    varied = takt.vary(JITTER, model="overlap", rate=[100, "120/s"], within="99% 60ms", **SHORT)
    output = takt.run(["vary", JITTER, "--model", "overlap", "--rate", "100/s", "--rate", "120/s", "--within", "99% 60ms",
                       "--copies", "16", "--data-sets", "400", "--json"])
    fields = json.loads(output.out)
    assert {**varied.fields, "file": ""} == {**fields, "file": ""}
    assert varied.law is None
    assert [round(1 / rate.arrival_gap) for rate in varied.at_rates] == [100, 120]
    assert varied.within.latency_limit == takt.exact("3/50")
    assert varied == takt.vary(JITTER, model="overlap", rate=[100, "120/s"], within="99% 60ms", **SHORT)
    assert "2 rates" in repr(varied)


def test_latencies_are_those_that_its_figures_are_of():
    varied = takt.vary(JITTER, model="strict", rate=[40, 60, 100], arrivals="poisson", **SHORT)
    arrays = varied.latencies()
    assert varied.at_rates[2].grows and arrays[2].size == 0
    for rate, array in zip(varied.at_rates[:2], arrays):
        assert array.shape == (16, 320)
        assert numpy.isclose(array.mean(), rate.latency_mean.estimated, rtol=1e-12)
        for percentile in rate.percentiles:
            within = (array <= percentile.estimated * (1 + 1e-12)).mean()
            assert within >= percentile.fraction - 1e-9
            assert (array < percentile.estimated * (1 - 1e-12)).mean() < percentile.fraction + 1e-9


def test_copies_that_were_made_longer_are_played_again_as_long():
    server = {
        "application": {"stages": [{"name": "S", "work": 1}]},
        "platform": {"processors": [{"name": "P", "speed": 1}]},
        "mapping": [{"stages": ["S"], "processors": ["P"]}],
    }
    varied = takt.vary(server, model="overlap", law="exponential", rate=["0.5", "0.97"], precision="10%")
    assert [rate.data_sets > varied.data_sets for rate in varied.at_rates] == [False, True]
    for rate, array in zip(varied.at_rates, varied.latencies()):
        assert array.shape == (rate.copies, rate.data_sets * 4 // 5)
        assert numpy.isclose(array.mean(), rate.latency_mean.estimated, rtol=1e-12)


def test_one_law_for_all_and_documents_without_laws():
    text = json.loads(pathlib.Path(ROOT / "examples/example-a.json").read_text(encoding="utf-8"))
    exponential = takt.vary(text, model="strict", law="exponential", rate="1/500", **SHORT)
    assert exponential.law == "exponential"
    assert exponential.expected_period.estimated > float(exponential.period)
    constant = takt.vary(text, model="strict", law="constant", rate="1/500", **SHORT)
    assert constant.expected_period.estimated == pytest.approx(692 / 3, rel=2e-3)
    with pytest.raises(takt.UsageError, match="law: found neither the option nor a law"):
        takt.vary(text, model="strict")
    with pytest.raises(takt.UsageError, match="law: found \"gauss\""):
        takt.vary(text, model="strict", law="gauss")


def test_mappings_rooms_and_windows_on_the_same_luck():
    same = takt.vary(JITTER, model="overlap", beside=JITTER, rate=100, **SHORT)
    assert isinstance(same, takt.VaryComparison)
    assert same.compared[1].throughput_change.estimated == 0
    assert not same.compared[1].at_rates[0].latency_change.told
    as_dict = json.loads(pathlib.Path(JITTER).read_text(encoding="utf-8"))
    assert takt.vary(JITTER, model="overlap", beside=as_dict, rate=100, **SHORT).compared[1].throughput_change.margin == 0
    rooms = takt.vary(JITTER, model="bounded", rooms=[1, 4], rate=60, **SHORT)
    assert [one.rooms for one in rooms.compared] == [1, 4, None]
    assert rooms.compared[1].expected_period.estimated <= rooms.compared[0].expected_period.estimated
    windows = takt.vary(JITTER, model="overlap", windows=[2, 8], rate=60, **SHORT)
    assert [one.window for one in windows.compared] == [2, 8, None]


def test_certificates_have_the_expected_period():
    result = takt.evaluate(JITTER, model="overlap")
    assert result.expected_period_upper_bound == result.period
    assert takt.check(JITTER, result.certificate) is None
    assert result.certificate["expected_upper"] == "3/400"
    strict = takt.evaluate(JITTER, model="strict")
    assert strict.expected_period_upper_bound is None
    assert "OVERLAP" in strict.expected_period_reason
    assert takt.evaluate(str(ROOT / "examples/video.json"), model="overlap").expected_period_lower_bound is None


def test_mappings_and_plans_are_chosen_by_a_percentile():
    catalogue = str(ROOT / "examples/catalogue.json")
    plan = takt.plan(catalogue, rate=200, within="99% 100ms", law="lognormal:0.5")
    assert plan.latency_plan.kept
    assert plan.latency_plan.percentile_before.estimated > 0
    with pytest.raises(takt.Infeasible) as refused:
        takt.plan(catalogue, rate=200, within="99% 1ms", law="lognormal:0.5")
    assert refused.value.fields["latency_plan"]["percentile_before"] is None
    problem = str(ROOT / "examples/hedpm-problem.json")
    mapped = takt.map(problem, "hedpm", within="99% 40", law="erlang:4")
    assert mapped.report.within.alone > 0

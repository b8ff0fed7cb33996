"""Runs of experiments as data frames."""
import json
import shutil
import warnings

import pytest

import takt
from conftest import program

DESCRIPTION = {
    "name": "small", "seed": 5, "study": "evaluate", "chunk": 3,
    "generator": {"name": "replicated-mapping", "stages": 2},
    "grid": {"draws": 4, "processors": [3, 4]},
}


def run_of(folder, *options):
    description = folder / "small.json"
    description.write_text(json.dumps(DESCRIPTION), encoding="utf-8")
    assert program("experiment", "run", description, "-o", folder / "run", *options)[0] == 0
    return folder / "run"


def test_a_run_is_a_frame_of_numbers(tmp_path):
    pandas = pytest.importorskip("pandas")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = takt.experiment(run_of(tmp_path))
    assert list(frame.columns) == [
        "cell", "processors", "draw", "model", "period", "max_cycle_time", "gap", "rows", "failed"]
    assert len(frame) == 16 and frame.failed.isna().all()
    for column in ("processors", "draw", "period", "max_cycle_time", "gap"):
        assert pandas.api.types.is_numeric_dtype(frame[column])
    assert (frame.period >= frame.max_cycle_time).all()
    assert sorted(frame.groupby(["processors", "model"]).size()) == [4, 4, 4, 4]


def test_what_is_missing_is_warned_of_and_what_is_no_run_is_refused(tmp_path):
    pytest.importorskip("pandas")
    run = run_of(tmp_path, "--shard", "1/4")
    with pytest.warns(UserWarning, match="some of the run is not done"):
        assert len(takt.experiment(str(run))) == 6
    with pytest.raises(OSError, match="holds no run"):
        takt.experiment(tmp_path / "nothing")
    with pytest.raises(TypeError, match="found bytes, expected a path as text"):
        takt.experiment(b"run")


OWN = {
    "name": "own", "seed": 3, "study": "heuristics", "chunk": 2, "models": ["overlap", "strict"],
    "generator": {"name": "skeleton-pair", "processors": 3},
    "grid": {"draws": 5, "stages": [3, 4]}, "heuristics": ["bsc"],
}


def alone(evaluator):
    return [(len(evaluator.stages), [0])]


def test_a_function_is_a_heuristic_of_an_experiment(tmp_path):
    pytest.importorskip("pandas")
    seen = []

    def counted(evaluator):
        seen.append(evaluator.model)
        return alone(evaluator)

    frame = takt.experiment(OWN, tmp_path / "run", heuristics={"alone": counted})
    assert seen == ["overlap", "strict"] * 10
    assert sorted(frame.groupby(["heuristic", "model"]).size()) == [10, 10, 10, 10] and frame.failed.isna().all()
    # The periods are those of the mappings of these draws.
    for row in frame[frame.heuristic == "alone"].itertuples():
        status, draw, _ = program("experiment", "draw", tmp_path / "run", "--cell", row.cell, "--draw", row.draw)
        assert status == 0
        assert float(takt.Evaluator(json.loads(draw), row.model).period(alone(takt.Evaluator(json.loads(draw), row.model)))) == row.period
    # It goes on where it was: nothing is asked again, but for more draws.
    takt.experiment(OWN, tmp_path / "run", heuristics={"alone": counted})
    assert len(seen) == 20
    more = takt.experiment(OWN, tmp_path / "run", heuristics={"alone": counted}, draws=6)
    assert len(more) == 48
    # Reports and rows are the program's, and it cannot go on by itself.
    assert program("experiment", "status", tmp_path / "run")[0] == 0
    description = tmp_path / "own.json"
    description.write_text(json.dumps({**OWN, "heuristics": ["bsc", {"name": "alone", "function": "alone"}]}))
    status, _, message = program("experiment", "run", description, "-o", tmp_path / "other")
    assert status == 2 and "takt.experiment() runs it" in message


def test_processes_give_the_same_frame(tmp_path):
    pandas = pytest.importorskip("pandas")
    one = takt.experiment(OWN, tmp_path / "one", heuristics={"alone": lambda evaluator: alone(evaluator)})
    two = takt.experiment(OWN, tmp_path / "two", heuristics={"alone": lambda evaluator: alone(evaluator)}, jobs=2)
    pandas.testing.assert_frame_equal(one, two)


def test_a_function_is_told_the_seed_of_the_draw(tmp_path):
    pytest.importorskip("pandas")
    seeds = []

    def seeded(evaluator, seed):
        seeds.append(seed)
        return alone(evaluator)

    takt.experiment(OWN, tmp_path / "run", heuristics={"seeded": seeded})
    assert len(set(seeds)) == 10 and seeds[0::2] == seeds[1::2]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_function_may_have_no_mapping_or_end_the_run(tmp_path, jobs):
    pytest.importorskip("pandas")

    def picky(evaluator):
        if len(evaluator.stages) == 3:
            raise takt.Infeasible("three stages are too few")
        return alone(evaluator)

    with pytest.warns(UserWarning, match="some draws have no result"):
        frame = takt.experiment(OWN, tmp_path / "picky", heuristics={"picky": picky}, jobs=jobs)
    assert set(frame[frame.failed.notna()].failed) == {"three stages are too few"}
    assert len(frame[frame.failed.notna()]) == 10

    def broken(evaluator):
        if len(evaluator.stages) == 4:
            raise ZeroDivisionError("by what?")
        return alone(evaluator)

    with pytest.raises(ZeroDivisionError, match="by what"):
        takt.experiment(OWN, tmp_path / "broken", heuristics={"own": broken}, jobs=jobs)
    # What was done stays.
    with pytest.warns(UserWarning, match="some of the run is not done"):
        assert len(takt.experiment(tmp_path / "broken")) > 0

    with pytest.raises(ValueError, match="part"):
        takt.experiment(OWN, tmp_path / "wrong", heuristics={"own": lambda evaluator: [(1, [0])]}, jobs=jobs)


def test_what_makes_no_sense_of_functions_is_refused(tmp_path):
    pytest.importorskip("pandas")
    named = {**OWN, "heuristics": [{"name": "mine", "function": "other"}]}
    with pytest.raises(takt.UsageError, match="found no function 'other', which the description names"):
        takt.experiment(named, tmp_path / "run", heuristics={"alone": alone})
    with pytest.raises(TypeError, match="expected functions by name"):
        takt.experiment(OWN, tmp_path / "run", heuristics={"alone": 3})
    with pytest.raises(takt.UsageError, match="expected an experiment and a directory"):
        takt.experiment(tmp_path / "run", heuristics={"alone": alone})
    with pytest.raises(takt.UsageError, match="a description without a directory"):
        takt.experiment(OWN)
    with pytest.raises(takt.UsageError, match="keep: found"):
        takt.experiment({**OWN, "keep": "none"}, tmp_path / "run")
    with pytest.raises(takt.InvalidDocument, match="/heuristics/1/name"):
        takt.experiment(OWN, tmp_path / "run", heuristics={"spl": alone})
    with pytest.raises(ValueError, match="jobs: found 0"):
        takt.experiment(OWN, tmp_path / "run", jobs=0)


def test_files_and_built_in_experiments_run_too(tmp_path):
    pytest.importorskip("pandas")
    description = tmp_path / "small.json"
    description.write_text(json.dumps(DESCRIPTION), encoding="utf-8")
    assert len(takt.experiment(description, tmp_path / "run")) == 16
    assert len(takt.experiment("replicated-table-2", tmp_path / "table", draws=1)) > 0


def test_reports_and_figures_of_a_run_are_those_of_the_program(tmp_path):
    pytest.importorskip("pandas")
    if shutil.which("gnuplot") is None:
        pytest.skip("no gnuplot (Debian's gnuplot-nox): figures are not drawn")
    described = {**OWN, "report": [{"kind": "table", "columns": [{"mean": "period"}]},
                                   {"kind": "profile", "name": "shares", "y": {"values": "period", "model": "strict"}}]}
    run = tmp_path / "run"
    takt.experiment(described, run, heuristics={"alone": alone})
    for format in ("md", "latex", "csv", "json"):
        printed = program("experiment", "report", run, "--format", format)[1]
        assert takt.experiment_report(run, format).replace("\r\n", "\n") == printed
    assert takt.experiment_report(run, "latex", document=True).startswith("\\documentclass")
    assert takt.experiment_figures(run) == [str(run / "figures/shares.svg")]
    assert takt.experiment_figures(run, tmp_path / "drawn", "pdf") == [str(tmp_path / "drawn/shares.pdf")]
    takt.experiment({**OWN, "name": "plain"}, tmp_path / "plain", heuristics={"alone": alone})
    with pytest.raises(takt.TaktError, match="has no figures"):
        takt.experiment_figures(tmp_path / "plain")
    with pytest.raises(OSError, match="holds no run"):
        takt.experiment_report(tmp_path / "nothing")

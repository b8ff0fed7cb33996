"""Runs of experiments as data frames."""
import json
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

"""Runs of experiments as data frames."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Union

from takt._program import LIMIT, run
from takt._tables import imported_pandas

if TYPE_CHECKING:
    import pandas


def experiment(directory: Union[str, "os.PathLike[str]"]) -> "pandas.DataFrame":
    """What each draw of an experiment's run gave, as a DataFrame; pandas must be installed.

    A row for each draw and series that the run has kept, as `takt experiment rows` prints them: `cell`, the parameters
    that cells differ in, `draw`, the keys of series, the measures as float64, and `failed`, the reason where a draw has
    no result. Warns where some of the run is not done, or some draws have no result. Raises OSError where there is no
    run, or none that keeps rows.
    """
    pandas = imported_pandas("takt.experiment()")
    path = os.fspath(directory)
    if not isinstance(path, str):
        raise TypeError(f"directory: found {type(path).__name__}, expected a path as text")
    output = run(["experiment", "rows", "--format", "jsonl", "--", path])
    if output.status == LIMIT:
        warnings.warn(f"{path}: some of the run is not done, or some draws have no result", stacklevel=2)
    return pandas.DataFrame.from_records([json.loads(line) for line in output.out.splitlines()])

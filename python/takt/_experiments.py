"""Experiments run, and their runs as data frames."""

from __future__ import annotations

import inspect
import json
import multiprocessing
import os
import warnings
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from takt import _core
from takt._documents import Document, need_count
from takt._errors import Infeasible, LimitReached, TaktError, UsageError
from takt._evaluator import Evaluator, Part
from takt._program import ANSWERED, LIMIT, options, run
from takt._tables import imported_pandas

if TYPE_CHECKING:
    import pandas

Path = Union[str, "os.PathLike[str]"]
# As the core asks them: of a problem, a model and a seed the answer.
_Asked = Callable[[bytes, str, int], bytes]


def experiment(
    experiment: Union[Path, Mapping[str, Any]],
    directory: Optional[Path] = None,
    *,
    heuristics: Optional[Mapping[str, Callable[..., Sequence[Part]]]] = None,
    jobs: int = 1,
    draws: Optional[int] = None,
    seed: Optional[int] = None,
) -> "pandas.DataFrame":
    """An experiment run in a directory, or what a run in a directory gave, as a DataFrame; pandas must be installed.

    With one argument, the directory of a run: a row for each draw and series that the run has kept, as `takt experiment
    rows` prints them: `cell`, the parameters that cells differ in, `draw`, the keys of series, the measures as float64,
    and `failed`, the reason where a draw has no result. Warns where some of the run is not done, or some draws have no
    result. Raises OSError where there is no run, or none that keeps rows.

    With two, the experiment, a built-in one's name, a description as a file or a dict, is run in the directory first; a
    directory that holds some of the run goes on. `heuristics` are functions of one's own, by name: each makes a mapping
    of a takt.Evaluator of a problem, for the model that the evaluator has; one that has a parameter `seed` is given the
    draw's. Those that the description does not name, as {"name": "mine", "function": "mine"}, are added to it. A function
    that raises takt.Infeasible has no mapping for the problem; any other exception ends the run, and what is done stays.
    `jobs` is the number of processes.

    >>> import tempfile
    >>> def alone(evaluator):
    ...     return [(len(evaluator.stages), [0])]
    >>> description = {"name": "small", "generator": {"name": "skeleton-pair", "stages": 4, "processors": 3},
    ...     "cells": [{"name": "all", "draws": 3}], "study": "heuristics", "heuristics": ["bsc"], "models": ["strict"]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     frame = takt.experiment(description, folder + "/run", heuristics={"alone": alone})
    >>> list(frame.groupby("heuristic").size().items())
    [('alone', 3), ('bsc', 3)]
    """
    pandas = imported_pandas("takt.experiment()")
    if directory is None:
        if heuristics is not None or jobs != 1 or draws is not None or seed is not None:
            raise UsageError("found one argument, the directory of a run, and options; expected an experiment and a directory")
        if isinstance(experiment, Mapping):
            raise UsageError("found a description without a directory, expected where its run is to be kept")
        path = _path(experiment, "experiment")
    else:
        path = _path(directory, "directory")
        need_count("jobs", jobs, 1)
        _run(experiment, path, heuristics or {}, jobs, draws, seed)
    output = run(["experiment", "rows", "--format", "jsonl", "--", path])
    if output.status == LIMIT:
        warnings.warn(f"{path}: some of the run is not done, or some draws have no result", stacklevel=2)
    return pandas.DataFrame.from_records([json.loads(line) for line in output.out.splitlines()])


def experiment_report(
    directory: Path,
    format: Literal["md", "latex", "csv", "json"] = "md",
    *,
    figures: Optional[Path] = None,
    document: bool = False,
    exact: bool = False,
) -> str:
    """The tables and verdicts of a run, as `takt experiment report` prints them.

    `format="latex"` is for papers: `figures` is the folder whose figures it includes, `document` makes a document by itself.
    """
    folder = None if figures is None else _path(figures, "figures")
    chosen = options(format=format, figures=folder, document=document, exact=exact)
    return run(["experiment", "report", *chosen, "--", _path(directory, "directory")]).out


def experiment_figures(
    directory: Path, output: Optional[Path] = None, format: Literal["svg", "pdf", "png"] = "svg"
) -> List[str]:
    """Draws the figures of a run and gives the names of their files; the program gnuplot must be installed.

    They go into the folder `output`; default: the folder `figures` in the run's.
    """
    path = _path(directory, "directory")
    folder = os.path.join(path, "figures") if output is None else _path(output, "output")
    drawn = run(["experiment", "plot", *options(output=folder, format=format), "--", path])
    if drawn.status != ANSWERED:
        raise TaktError("\n".join(drawn.messages) or "there is nothing to draw")
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(f".{format}"))


def _path(path: Any, name: str) -> str:
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"{name}: found {type(text).__name__}, expected a path as text")
    return text


def _run(
    description: Union[Path, Mapping[str, Any]],
    directory: str,
    functions: Mapping[str, Callable[..., Sequence[Part]]],
    jobs: int,
    draws: Optional[int],
    seed: Optional[int],
) -> None:
    name, fields = _description(description)
    if fields.get("keep") == "none":
        raise UsageError("keep: found \"none\", expected all or a predicate: a frame has the rows that are kept")
    for key, function in functions.items():
        if not isinstance(key, str) or not callable(function):
            raise TypeError(f"heuristics: found {key!r}: {type(function).__name__}, expected functions by name")
    asked = _with_functions(fields, functions)
    text = json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogateescape")
    need_count("draws", draws, 1)
    need_count("seed", seed, 0)
    if _core.run_experiment(text, name, directory, asked, seed, draws, None) == 0:
        return
    if jobs == 1:
        _core.run_experiment(text, name, directory, asked, seed, draws, "1/1")
    else:
        _run_by_processes(
            lambda part: _core.run_experiment(text, name, directory, asked, seed, draws, part),
            [f"{k + 1}/{jobs}" for k in range(jobs)],
        )
    _core.run_experiment(text, name, directory, asked, seed, draws, None)


def _description(description: Union[Path, Mapping[str, Any]]) -> Tuple[str, Dict[str, Any]]:
    """What messages call it, and its fields, every number as exact as it was."""
    if isinstance(description, Mapping):
        return "description", json.loads(json.dumps(dict(description)))
    name = _path(description, "experiment")
    try:
        text = run(["experiment", "show", "--", name]).out
    except UsageError:  # no built-in one's name
        with open(name, encoding="utf-8") as file:
            text = file.read()
    fields: Dict[str, Any] = json.loads(text, parse_float=_exact_float)
    return name, fields


def _exact_float(text: str) -> Union[float, str]:
    number = float(text)
    return number if repr(number) == text else text


def _with_functions(
    fields: Dict[str, Any], functions: Mapping[str, Callable[..., Sequence[Part]]]
) -> Dict[str, _Asked]:
    """The functions as the core asks them, by the names that the description has for them; others are added to it."""
    named = [
        item["function"]
        for key in ("heuristics", "references")
        for item in fields.get(key) or []
        if isinstance(item, dict) and "function" in item
    ]
    missing = [name for name in named if name not in functions]
    if missing:
        raise UsageError(f"heuristics: found no function {missing[0]!r}, which the description names")
    for name in functions:
        if name not in named:
            fields.setdefault("heuristics", []).append({"name": name, "function": name})
    return {name: _asked(function) for name, function in functions.items()}


def _asked(function: Callable[..., Sequence[Part]]) -> _Asked:
    try:
        takes_seed = "seed" in inspect.signature(function).parameters
    except ValueError:  # of some functions written in C
        takes_seed = False

    def ask(problem: bytes, model: str, seed: int) -> bytes:
        evaluator = Evaluator(Document.parse(problem, "problem"), model)  # type: ignore[arg-type]
        try:
            mapping = function(evaluator, seed=seed) if takes_seed else function(evaluator)
        except (Infeasible, LimitReached) as why:
            return json.dumps({"failed": str(why)}).encode()
        return json.dumps({"mapping": evaluator.document(mapping)["mapping"]}).encode()

    return ask


def _run_by_processes(work: Callable[[str], int], parts: List[str]) -> None:
    """Forks, for functions of a notebook have no name that another program could import them by."""
    context = multiprocessing.get_context("fork")
    running = []
    for part in parts:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(work, part, sender))
        process.start()
        sender.close()
        running.append((process, receiver))
    error: Optional[BaseException] = None
    try:
        for process, receiver in running:
            try:
                error = receiver.recv() or error
            except EOFError:
                process.join()
                error = TaktError(f"a process of the run ended with status {process.exitcode}; what is done stays")
            if error is not None:
                break
    finally:
        for process, _ in running:
            if error is not None:
                process.terminate()
            process.join()
    if error is not None:
        raise error


def _serve(work: Callable[[str], int], part: str, sender: "Connection") -> None:
    error: Optional[BaseException] = None
    try:
        work(part)
    except BaseException as raised:  # noqa: B902: whatever it is, the caller raises it
        error = raised
    try:
        sender.send(error)
    except Exception:  # one that cannot be pickled
        sender.send(TaktError(f"{type(error).__name__}: {error}"))

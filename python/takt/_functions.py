"""What people call: one function for each thing that takt does."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from takt import _core
from takt._documents import Input, Source, document_of, need_count, need_model, number_text, with_unit
from takt._errors import Infeasible, InvalidDocument, LimitReached, UsageError
from takt._evaluator import Evaluator, Part
from takt._firings import Firings
from takt._pictures import Drawing, Page, draw_net, written_file, written_files
from takt._program import ANSWERED, NO, answer, answered, call, failure, in_python, options, own_options, run
from takt._results import Mapped, Plan, Result, Rooms, Sensitivity, Varied, VaryComparison, Verification
from takt._words import (
    Coloring,
    ExportFormat,
    Generator,
    Heuristic,
    Method,
    Model,
    Number,
    PlanClass,
    Schedule,
    Solver,
)


def evaluate(
    instance: Source,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    window: Optional[int] = None,
    method: Optional[Method] = None,
    solver: Optional[Solver] = None,
    circuit: Optional[Literal["full"]] = None,
    latency: bool = False,
    latency_curve: bool = False,
    estimate: bool = False,
    seed: Optional[int] = None,
    time_limit: Optional[Number] = None,
    max_rows: Optional[int] = None,
    max_memory: Optional[int] = None,
) -> Result:
    """The exact period of a mapping under a communication model, its bottleneck and its critical circuit.

    The model is "overlap", "strict" or "bounded" (with `rooms`); default: the instance's own. The other arguments
    are options of `takt evaluate`; `time_limit` is in seconds, `max_memory` in MiB. Beyond a limit the result is an
    interval: see Result.bounds. Raises LimitReached where not even that is found.

    >>> takt.evaluate("examples/example-a.json", model="strict").period
    Fraction(692, 3)
    """
    arguments = own_options(evaluate, locals())
    document = document_of(instance)
    try:
        core = _core.evaluate(document._core, arguments)
    except UsageError as error:
        raise UsageError(in_python(str(error))) from None
    return Result(core, document, arguments, {"model": model, "rooms": rooms})


@contextlib.contextmanager
def _as_file(source: Source) -> Iterator[str]:
    """The path of a document beside the one that is standard input."""
    given = Input(source)
    if given.argument != "-":
        yield given.argument
        return
    with tempfile.TemporaryDirectory(prefix="takt-") as folder:
        path = os.path.join(folder, "document.json")
        with open(path, "wb") as file:
            file.write(given.text)
        yield path


def check(
    instance: Source,
    certificate: Union[str, "os.PathLike[str]", Mapping[str, Any]],
    *,
    time_limit: Optional[Number] = None,
) -> Optional[str]:
    """None where the certificate proves the period of the instance (or its plan); else why it does not.

    A certificate is a file, or what Result.certificate and Plan.certificate give. Raises InvalidDocument of what is no
    certificate, LimitReached where the time does not suffice.
    """
    given = Input(instance)
    arguments = own_options(check, locals())
    with _as_file(certificate) as path:
        output = call("check", given, [path, "--json", *arguments])
    verdict = json.loads(output.out)
    if output.status == ANSWERED:
        return None
    reason = verdict.get("reason") or "\n".join(output.messages)
    if output.status == NO:
        return reason
    raise LimitReached(reason)


def map(  # noqa: A001
    problem: Source,
    heuristic: Union[Heuristic, Literal["all"], Callable[[Evaluator], Sequence[Part]], None] = None,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    seed: Optional[int] = None,
    time_limit: Optional[Number] = None,
    ahead: Optional[Literal["best"]] = None,
    within: Optional[str] = None,
    law: Optional[str] = None,
    trace: bool = False,
    **heuristic_options: Number,
) -> Mapped:
    """A problem mapped by a heuristic; by default, or with "all", by all of them, the best mapping taken.

    The heuristic's own options are keyword arguments, such as `iterations=500` or `class_="replicated"`. `ahead="best"`
    adds the transfers ahead that lower the period most. `within`, as "99% 150ms", chooses by the largest rate at which that
    share of all data sets is within that latency, if times vary by `law` or the problem's laws. Raises Infeasible where it finds no mapping. A search that
    `time_limit` (seconds) ends gives the best mapping so far. A heuristic of one's own is a function: of a takt.Evaluator of
    the problem it makes a mapping, whose period is the predicted one.

    >>> mapped = takt.map("examples/hedpm-problem.json", "polish", model="overlap")
    >>> takt.evaluate(mapped).period == mapped.predicted_period
    True
    """
    if callable(heuristic):
        others = {"seed": seed, "time_limit": time_limit, "ahead": ahead, "within": within, "law": law, "trace": trace or None, **heuristic_options}
        named = [name for name, value in others.items() if value is not None]
        if named:
            raise UsageError(f"{named[0]} does not go with a function as heuristic")
        return _mapped_by(heuristic, problem, model, rooms)
    given = Input(problem)
    arguments = own_options(map, locals(), heuristic=heuristic)
    texts, output = written_files("map", given, ["--json", *arguments], {"-o": "mapped.json"})
    report = json.loads(output.out) if output.out.strip() else None
    if texts["-o"] is None:
        error = failure(output)
        if isinstance(error, Infeasible):
            error.fields = report
        raise error
    return Mapped(json.loads(texts["-o"]), report, output.messages)


def _mapped_by(
    function: Callable[[Evaluator], Sequence[Part]], problem: Source, model: Optional[Model], rooms: Optional[int]
) -> Mapped:
    given = document_of(problem)
    evaluator = Evaluator(given, model, rooms)
    mapping = function(evaluator)
    document = evaluator.document(mapping)
    period = str(evaluator.period(mapping))
    name = getattr(function, "__name__", type(function).__name__)
    known: Dict[str, Any] = {"model": evaluator.model}
    if evaluator.rooms is not None:
        known["rooms"] = evaluator.rooms
    written = f"{period} s" if given.has_units else period
    document.update(known, predicted_period=written, heuristic={"name": name})
    units = {"time_unit": "s"} if given.has_units else {}
    report = {
        "file": given.name,
        "heuristic": name,
        **known,
        **units,
        "predicted_period": period,
        "periods": [{**known, "period": period}],
        "relation": "equal",
        "gap_percent": 0.0,
        "cut_short": False,
        "notes": [],
        "mapping": document["mapping"],
    }
    return Mapped(document, report, [])


def verify(
    instance: Source,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    tolerance: Optional[Number] = None,
    time_limit: Optional[Number] = None,
) -> Verification:
    """Whether the instance's predicted_period holds under the model that is said, else its own.

    `tolerance` is a share of the exact period: 0.05, or "5%".
    """
    need_model(instance, model)
    arguments = own_options(verify, locals())
    return Verification(*_asked("verify", Input(instance), arguments))


def sensitivity(
    instance: Source,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    parameter: Union[str, Sequence[str], None] = None,
    faster: Optional[Number] = None,
    target: Optional[Number] = None,
    each: bool = False,
    curve: bool = False,
    floats: bool = False,
    time_limit: Optional[Number] = None,
) -> Sensitivity:
    """What every speed, bandwidth, time, work and size of the instance means for the period, and one port or core more.

    `parameter` names one or more, such as "/platform/links/1/time"; `faster` is a gain in percent, `target` a period or
    a rate such as "200/s"; of an instance with units a number is a period in seconds. Alike machines and links are one
    parameter, unless `each` is true.
    """
    need_model(instance, model)
    names = [parameter] if isinstance(parameter, str) else None if parameter is None else list(parameter)
    target = with_unit(instance, target, "s")
    arguments = own_options(sensitivity, locals(), parameter=names)
    return Sensitivity(*_asked("sensitivity", Input(instance), arguments))


def vary(
    instance: Source,
    *,
    model: Optional[Model] = None,
    rooms: Union[int, Sequence[int], None] = None,
    windows: Optional[Sequence[int]] = None,
    beside: Optional[Source] = None,
    law: Optional[str] = None,
    rate: Union[Number, Sequence[Number], None] = None,
    arrivals: Union[Literal["periodic", "poisson"], "os.PathLike[str]", None] = None,
    within: Optional[str] = None,
    copies: Optional[int] = None,
    data_sets: Optional[int] = None,
    precision: Optional[Number] = None,
    seed: Optional[int] = None,
    time_limit: Optional[Number] = None,
) -> Union[Varied, VaryComparison]:
    """Throughput and latencies where times vary: by the instance's laws, or by one law, such as "lognormal:0.5".

    `rate` is one or more, a number of data sets per time unit, of an instance with units per second, or text such as
    "200/s"; default: shares of what the mapping sustains. `within`, as "99% 150ms", asks for the largest rate that keeps
    it. Several `rooms` or `windows`, or another mapping `beside`, are compared with the same random times.

    >>> varied = takt.vary("examples/video-jitter.json", model="overlap", rate=100)
    >>> varied.at_rates[0].percentiles[2].fraction
    0.99
    """
    need_model(instance, model)
    rates = [rate] if rate is None or isinstance(rate, str) or not isinstance(rate, Sequence) else list(rate)
    several = {
        "rooms": ",".join(str(one) for one in rooms) if isinstance(rooms, Sequence) else rooms,
        "windows": None if windows is None else ",".join(str(one) for one in windows),
        "rate": None if rate is None else [with_unit(instance, one, "/s") for one in rates],
        "arrivals": None if arrivals is None else os.fspath(arrivals),
    }
    given = Input(instance)
    with tempfile.TemporaryDirectory(prefix="takt-") as folder:
        other: Optional[str] = None
        if beside is not None:
            second = Input(beside)
            other = second.argument
            if other == "-":
                other = os.path.join(folder, "beside.json")
                with open(other, "wb") as file:
                    file.write(second.text)
        arguments = own_options(vary, locals(), beside=other, **several)
        fields, messages = _asked("vary", given, arguments)
    if "compared" in fields:
        return VaryComparison(fields, messages)
    return Varied(fields, messages, document_of(instance))


def _asked(command: str, given: Input, arguments: List[str]) -> Tuple[Any, List[str]]:
    # A command's --json, of one object, and its messages.
    output = call(command, given, ["--json", *arguments])
    return answer(output, given), output.messages


def changed(instance: Source, values: Mapping[str, Number]) -> Dict[str, Any]:
    """The instance with other values of its parameters, or numbers of ports and cores, named as takt.sensitivity does.

    >>> faster = takt.changed("examples/example-a.json", {"/platform/links/1/time": 174})
    >>> wider = takt.changed("examples/racks.json", {"uplink ports": 2})
    """
    if not isinstance(values, Mapping):
        raise TypeError(f"values: found {type(values).__name__}, expected a dict of numbers by the names of parameters")
    arguments = options(apply=[f"{name}={number_text(value)}" for name, value in values.items()])
    text = written_file("sensitivity", Input(instance), arguments, "changed.json")
    return json.loads(text)  # type: ignore[no-any-return]


def plan(
    problem: Source,
    *,
    rate: Optional[Number] = None,
    period: Optional[Number] = None,
    budget: Optional[Number] = None,
    machines: Optional[Mapping[str, int]] = None,
    have: Optional[Mapping[str, int]] = None,
    from_: Optional[Source] = None,
    setup_price: Optional[Number] = None,
    schedule: Optional[str] = None,
    on_demand: Optional[Number] = None,
    beside: Sequence[str] = (),
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    latency: Optional[Number] = None,
    within: Optional[str] = None,
    law: Optional[str] = None,
    headroom: Optional[Number] = None,
    survive: Optional[int] = None,
    apart: bool = False,
    among: Optional[PlanClass] = None,
    frontier: bool = False,
    up_to: Optional[Number] = None,
    losses: bool = False,
    upgrade: bool = False,
    price_ranges: bool = False,
    certificate: bool = False,
    time_limit: Optional[Number] = None,
) -> Plan:
    """How many of which machines for a wanted rate, at least cost; or the fastest plan for a budget, or on machines.

    Rates, times and prices are numbers with or without a unit: rate="200/s", period="5 ms". Of a problem with units a
    number is in seconds, or per second: rate=200. `within`, as "99% 150ms", adds machines until that share of all data
    sets is within that latency, if times vary by `law` or the problem's laws. `have` are machines that are there already:
    what is to be added costs least, Plan.to_add. `from_` is a mapping that runs: as few machines as can be are set up for
    other stages, or, at a `setup_price` each, what is cheapest in all, Plan.changes. `schedule`, as "8h 300/s, 16h 50/s", is
    in place of a rate, Plan.plan_schedule. `on_demand` is the rate that machines on demand keep alone, the others having their
    types' spot prices. `beside` are files and rates of other pipelines that take machines from the same stock, as "other.json 50/s",
    Plan.pipelines. `certificate` asks for what proves the plan, Plan.certificate. Raises
    Infeasible where there is no plan.
    """
    given = Input(problem)
    rate, up_to, on_demand = (with_unit(problem, value, "/s") for value in (rate, up_to, on_demand))
    period, latency = (with_unit(problem, value, "s") for value in (period, latency))
    arguments = own_options(plan, locals(), certificate=None, from_=None)
    aims = (rate, period, budget)
    is_one_plan = schedule is None and not beside and (not frontier or any(aim is not None for aim in aims))
    names = {"-o": "mapped.json"} if is_one_plan else {}
    if certificate:
        names["--certificate"] = "certificate.json"
    with contextlib.ExitStack() as files:
        if from_ is not None:
            arguments += ["--from", files.enter_context(_as_file(from_))]
        texts, output = written_files("plan", given, ["--json", *arguments], names)
    if output.out.strip() and output.status == NO:
        fields = json.loads(output.out)
        reasons = output.messages or [reason["text"] for reason in fields.get("reasons", ())]
        if fields["found"]:
            reasons = ["no plan was found that keeps the latency within the limit"]
        raise Infeasible("\n".join(reasons) or "there is no such plan", fields)
    documents = [_parsed(texts.get(option)) for option in ("-o", "--certificate")]
    return Plan(answer(output, given), output.messages, *documents)


def _parsed(text: Optional[str]) -> Optional[Dict[str, Any]]:
    return json.loads(text) if text else None


def rooms(instance: Source, *, all: Optional[int] = None, time_limit: Optional[Number] = None) -> Rooms:  # noqa: A002
    """How many files the processors of a mapping must have room for, under OVERLAP."""
    return Rooms(*_asked("rooms", Input(instance), own_options(rooms, locals())))


def report(
    instance: Source,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    time_limit: Optional[Number] = None,
) -> Page:
    """A page that shows the period, why it is what it is, and what would help."""
    need_model(instance, model)
    arguments = own_options(report, locals())
    return Page(written_file("report", Input(instance), arguments, "report.html"))


def gantt(
    instance: Source,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    schedule: Optional[Schedule] = None,
    data_sets: Optional[int] = None,
    from_: Optional[Number] = None,
    to: Optional[Number] = None,
    color: Optional[Coloring] = None,
    unfold: bool = False,
    time_limit: Optional[Number] = None,
) -> Drawing:
    """Who does what when: a Gantt chart of one lap of the critical circuit, or of what is asked for.

    `from_` and `to` are times; of an instance with units a number is in seconds.
    """
    need_model(instance, model)
    from_, to = (with_unit(instance, value, "s") for value in (from_, to))
    arguments = own_options(gantt, locals())
    return Drawing(written_file("gantt", Input(instance), arguments, "gantt.svg"))


def draw(
    instance: Source,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    collapse: bool = False,
    arcs: bool = False,
    max_transitions: Optional[int] = None,
    time_limit: Optional[Number] = None,
) -> Drawing:
    """The timed Petri net, its critical circuit marked."""
    need_model(instance, model)
    arguments = own_options(draw, locals())
    return draw_net(Input(instance), arguments)


def dot(
    instance: Source,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    collapse: bool = False,
    arcs: bool = False,
    max_transitions: Optional[int] = None,
    time_limit: Optional[Number] = None,
) -> str:
    """The same as text for Graphviz."""
    need_model(instance, model)
    return answered(call("dot", Input(instance), own_options(dot, locals())))


def export(
    instance: Source,
    to: ExportFormat,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    window: Optional[int] = None,
    max_transitions: Optional[int] = None,
    time_limit: Optional[Number] = None,
) -> str:
    """The net in the format of other tools: "pnml", "tina", "sdf3", "csdf" or "graph" (docs/interchange.md)."""
    need_model(instance, model)
    return answered(call("export", Input(instance), own_options(export, locals(), to=to)))


def simulate(
    instance: Source,
    *,
    model: Optional[Model] = None,
    rooms: Optional[int] = None,
    data_sets: int = 100,
) -> Firings:
    """When the operations of the first data sets start and end, as early as they may, as NumPy arrays."""
    if model is not None and not isinstance(model, str):
        raise TypeError(f"model: found {type(model).__name__}, expected the name of a model")
    need_count("rooms", rooms, 1)
    need_count("data_sets", data_sets)
    document = document_of(instance)
    try:
        return Firings(_core.simulate(document._core, model or "", rooms, data_sets))
    except UsageError as error:
        raise UsageError(in_python(str(error))) from None


def generate(generator: Generator, *, seed: int = 1, draw: int = 0, **parameters: Number) -> Dict[str, Any]:
    """A random instance or problem, the same for the same seed and draw; parameters as of `takt generate`.

    >>> instance = takt.generate("replicated-mapping", seed=7, stages=4, processors=9)
    """
    if not isinstance(generator, str):
        raise TypeError(f"generator: found {type(generator).__name__}, expected the name of a generator")
    try:
        output = run(["generate", generator, *own_options(generate, locals())])
    except UsageError as error:
        raise UsageError(in_python(str(error))) from None
    return json.loads(answered(output))  # type: ignore[no-any-return]


def heuristics() -> List[Heuristic]:
    """The names of the mapping heuristics."""
    return _core.heuristic_names()


def generators() -> List[Generator]:
    """The names of the generators of random instances and problems."""
    return _core.generator_names()

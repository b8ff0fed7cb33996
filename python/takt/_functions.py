"""What people call: one function for each thing that takt does."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from takt import _core
from takt._documents import Input, Source, core_document, json_text, need_model, number_text
from takt._errors import Infeasible, LimitReached, UsageError
from takt._program import ANSWERED, NO, answer, answered, call, failure, in_python, options, own_options, run
from takt._results import (
    Answer,
    Drawing,
    Firings,
    Mapped,
    Page,
    Plan,
    Result,
    draw_net,
    json_answer,
    written_file,
    written_files,
)

# A number that is read exactly: int, Fraction, Decimal, a float as its shortest decimal, or text such as "3/2", "5 ms".
Number = Any


def evaluate(
    instance: Source,
    *,
    model: Optional[str] = None,
    rooms: Optional[int] = None,
    window: Optional[int] = None,
    method: Optional[str] = None,
    solver: Optional[str] = None,
    circuit: Optional[str] = None,
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
    try:
        core = _core.evaluate(core_document(instance), arguments)
    except UsageError as error:
        raise UsageError(in_python(str(error))) from None
    return Result(core, instance, {"model": model, "rooms": rooms})


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
    with tempfile.TemporaryDirectory(prefix="takt-") as folder:
        if isinstance(certificate, Mapping):
            path = os.path.join(folder, "certificate.json")
            with open(path, "wb") as file:
                file.write(json_text(certificate))
        else:
            path = Input(certificate).argument
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
    heuristic: Optional[str] = None,
    *,
    model: Optional[str] = None,
    rooms: Optional[int] = None,
    seed: Optional[int] = None,
    time_limit: Optional[Number] = None,
    ahead: Optional[str] = None,
    trace: bool = False,
    **heuristic_options: Number,
) -> Mapped:
    """A problem mapped by a heuristic; by default, or with "all", by all of them, the best mapping taken.

    The heuristic's own options are keyword arguments, such as `iterations=500` or `class_="replicated"`. `ahead="best"`
    adds the transfers ahead that lower the period most. Raises Infeasible where it finds no mapping. A search that
    `time_limit` (seconds) ends gives the best mapping so far.

    >>> mapped = takt.map("examples/hedpm-problem.json", "polish", model="overlap")
    >>> takt.evaluate(mapped).period == mapped.predicted_period
    True
    """
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


def verify(
    instance: Source,
    *,
    model: Optional[str] = None,
    rooms: Optional[int] = None,
    tolerance: Optional[Number] = None,
    time_limit: Optional[Number] = None,
) -> Answer:
    """Whether the instance's predicted_period holds under the model that is said, else its own.

    `tolerance` is a share of the exact period: 0.05, or "5%".
    """
    need_model(instance, model)
    arguments = own_options(verify, locals())
    return json_answer("verify", Input(instance), arguments)


def sensitivity(
    instance: Source,
    *,
    model: Optional[str] = None,
    rooms: Optional[int] = None,
    parameter: Union[str, Sequence[str], None] = None,
    faster: Optional[Number] = None,
    target: Optional[Number] = None,
    each: bool = False,
    curve: bool = False,
    floats: bool = False,
    time_limit: Optional[Number] = None,
) -> Answer:
    """What every speed, bandwidth, time, work and size of the instance means for the period, and one port or core more.

    `parameter` names one or more, such as "/platform/links/1/time"; `faster` is a gain in percent, `target` a period or
    a rate such as "200/s". Alike machines and links are one parameter, unless `each` is true.
    """
    need_model(instance, model)
    names = [parameter] if isinstance(parameter, str) else None if parameter is None else list(parameter)
    arguments = own_options(sensitivity, locals(), parameter=names)
    return json_answer("sensitivity", Input(instance), arguments)


def changed(instance: Source, values: Mapping[str, Number]) -> Dict[str, Any]:
    """The instance with other values of its parameters, or numbers of ports and cores, named as takt.sensitivity does.

    >>> faster = takt.changed("examples/example-a.json", {"/platform/links/1/time": 174})
    >>> wider = takt.changed("examples/racks.json", {"uplink ports": 2})
    """
    arguments = options(apply=[f"{name}={number_text(value)}" for name, value in values.items()])
    return json.loads(written_file("sensitivity", Input(instance), arguments, "changed.json"))


def plan(
    problem: Source,
    *,
    rate: Optional[Number] = None,
    period: Optional[Number] = None,
    budget: Optional[Number] = None,
    machines: Optional[Mapping[str, int]] = None,
    model: Optional[str] = None,
    rooms: Optional[int] = None,
    latency: Optional[Number] = None,
    headroom: Optional[Number] = None,
    survive: Optional[int] = None,
    apart: bool = False,
    among: Optional[str] = None,
    frontier: bool = False,
    up_to: Optional[Number] = None,
    losses: bool = False,
    upgrade: bool = False,
    certificate: bool = False,
    time_limit: Optional[Number] = None,
) -> Plan:
    """How many of which machines for a wanted rate, at least cost; or the fastest plan for a budget, or on machines.

    Rates, times and prices are numbers with or without a unit: rate="200/s", period="5 ms". `certificate` asks for what
    proves the plan, Plan.certificate. Raises Infeasible where there is no plan.
    """
    given = Input(problem)
    arguments = own_options(plan, locals(), certificate=None)
    names = {"-o": "mapped.json"} if not frontier or rate or period or budget else {}
    if certificate:
        names["--certificate"] = "certificate.json"
    texts, output = written_files("plan", given, ["--json", *arguments], names)
    if not output.out.strip() or output.status == NO:
        error = failure(output)
        if isinstance(error, Infeasible) and output.out.strip():
            error.fields = json.loads(output.out)
        raise error
    found = Plan(answer(output, given))
    found.messages = output.messages
    found.document = _parsed(texts.get("-o"))
    found.certificate = _parsed(texts.get("--certificate"))
    return found


def _parsed(text: Optional[str]) -> Optional[Dict[str, Any]]:
    return json.loads(text) if text else None


def rooms(instance: Source, *, all: Optional[int] = None, time_limit: Optional[Number] = None) -> Answer:  # noqa: A002
    """How many files the processors of a mapping must have room for, under OVERLAP."""
    return json_answer("rooms", Input(instance), own_options(rooms, locals()))


def report(
    instance: Source,
    *,
    model: Optional[str] = None,
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
    model: Optional[str] = None,
    rooms: Optional[int] = None,
    schedule: Optional[str] = None,
    data_sets: Optional[int] = None,
    from_: Optional[Number] = None,
    to: Optional[Number] = None,
    color: Optional[str] = None,
    unfold: bool = False,
    time_limit: Optional[Number] = None,
) -> Drawing:
    """Who does what when: a Gantt chart of one lap of the critical circuit, or of what is asked for."""
    need_model(instance, model)
    arguments = own_options(gantt, locals())
    return Drawing(written_file("gantt", Input(instance), arguments, "gantt.svg"))


def draw(
    instance: Source,
    *,
    model: Optional[str] = None,
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
    model: Optional[str] = None,
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
    to: str,
    *,
    model: Optional[str] = None,
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
    model: Optional[str] = None,
    rooms: Optional[int] = None,
    data_sets: int = 100,
) -> Firings:
    """When the operations of the first data sets start and end, as early as they may, as NumPy arrays."""
    return Firings(_core.simulate(core_document(instance), model or "", rooms, data_sets))


def generate(generator: str, *, seed: int = 1, draw: int = 0, **parameters: Number) -> Dict[str, Any]:
    """A random instance or problem, the same for the same seed and draw; parameters as of `takt generate`.

    >>> instance = takt.generate("replicated-mapping", seed=7, stages=4, processors=9)
    """
    try:
        output = run(["generate", generator, *own_options(generate, locals())])
    except UsageError as error:
        raise UsageError(in_python(str(error))) from None
    return json.loads(answered(output))


def heuristics() -> List[str]:
    """The names of the mapping heuristics."""
    return _core.heuristic_names()


def generators() -> List[str]:
    """The names of the generators of random instances and problems."""
    return _core.generator_names()

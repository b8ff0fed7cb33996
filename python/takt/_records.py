"""Objects within answers: what docs/json.md says of each key, as an attribute of its type."""

from __future__ import annotations

import json
import typing
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple, Type, Union

# Of Python's own words a key stands with an underscore behind it: `class_`, `from_`.
_KEYS = {"class_": "class", "from_": "from"}

Reader = Callable[[Any], Any]


def _reader_of(hint: Any) -> Reader:
    """What makes a value of JSON one of that type, which is as docs/schemas has it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Fraction or hint is int or hint is float:
        return hint  # type: ignore[no-any-return]
    if origin is Union and type(None) in arguments:
        read = _reader_of(Union[tuple(one for one in arguments if one is not type(None))])
        return lambda value: None if value is None else read(value)
    if origin is list:
        read = _reader_of(arguments[0])
        return lambda value: [read(item) for item in value or ()]
    if origin is dict:
        read = _reader_of(arguments[1])
        return lambda value: {key: read(item) for key, item in (value or {}).items()}
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint
    return lambda value: value


_ABSENT = object()


class Record:
    """Fields of an answer as attributes: exact numbers are Fractions, counts ints.

    What is not known, or was not asked for, is None where its type says so; else it is no attribute. `fields` has all as
    the JSON that `takt --json` prints, where exact numbers are text. Records are equal where their fields are.
    """

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.__dict__["_fields"] = fields

    @property
    def fields(self) -> Dict[str, Any]:
        """All of it as docs/json.md has it."""
        return self._fields

    @classmethod
    def _hints(cls) -> Dict[str, Any]:
        if "_hints_of_class" not in cls.__dict__:
            hints = typing.get_type_hints(cls)
            cls._hints_of_class = {name: hint for name, hint in hints.items() if not name.startswith("_")}
            cls._readers_of_class = {name: _reader_of(hint) for name, hint in cls._hints_of_class.items()}
        return cls._hints_of_class

    if TYPE_CHECKING:
        _fields: Dict[str, Any]
        _hints_of_class: Dict[str, Any]
        _readers_of_class: Dict[str, Reader]
    else:

        def __getattr__(self, name):
            # Where nothing else has the name; what was read stays.
            cls = type(self)
            if name.startswith("_") or name not in cls._hints():
                raise AttributeError(f"{_named(cls)} has no {name!r}; it has {', '.join(cls._hints())}")
            value = self.fields.get(_KEYS.get(name, name), _ABSENT)
            hint = cls._hints_of_class[name]
            is_list = typing.get_origin(hint) in (list, dict)
            if value is _ABSENT:
                value = None
                if not is_list and type(None) not in typing.get_args(hint):
                    raise AttributeError(f"this {cls.__name__} has no {name!r}: it was not asked for, or is not known")
            read = cls._readers_of_class[name](value) if is_list or value is not None else None
            self.__dict__[name] = read
            return read

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{_named(type(self))} is not to be changed")

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._hints()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or type(other) is not type(self):
            return NotImplemented
        return self.fields == other.fields

    def __hash__(self) -> int:
        return hash((type(self), json.dumps(self.fields, sort_keys=True)))

    def __reduce__(self) -> Tuple[Any, ...]:
        return restored, (type(self), self._kept())

    def _kept(self) -> Dict[str, Any]:
        # All but what can be read again of the fields.
        return {name: value for name, value in self.__dict__.items() if name not in self._hints()}

    def __copy__(self) -> "Record":
        return self

    def __deepcopy__(self, memo: Any) -> "Record":
        return self

    def _cells(self) -> Dict[str, Any]:
        # The fields that stand in a row of a table, and their values.
        cells: Dict[str, Any] = {}
        for name, hint in self._hints().items():
            value = getattr(self, name, None)
            if hint in (List[str], Optional[List[str]]):
                cells[name] = None if value is None else ", ".join(value)
            elif not is_list(hint):
                cells[name] = value
        return cells

    def __repr__(self) -> str:
        known = [(name, getattr(self, name, None)) for name in self._hints()]
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in known if value is not None)})"


def restored(cls: Type[Record], kept: Dict[str, Any]) -> Record:
    """The record that was pickled."""
    record = cls.__new__(cls)
    record.__dict__.update(kept)
    return record


def is_list(hint: Any) -> bool:
    """Whether a type holds several things, or may."""
    return any(typing.get_origin(one) in (list, dict) for one in (hint, *typing.get_args(hint)))


def _named(cls: type) -> str:
    return ("an " if cls.__name__[0] in "AEIOU" else "a ") + "takt." + cls.__name__


# Number of a part in the mapping, from 0, or "source" or "sink".
PartNumber = Union[int, str]


class NamedResource(Record):
    """A resource by the processor that has it: its kind is "compute", "in-port", "out-port",
    "segment" or, under strict, "processor"."""

    processor: Optional[str]
    kind: str


class Resource(NamedResource):
    """A resource, the time that it is busy per data set, and the share of the period: None where that is not known."""

    cycle_time: Fraction
    utilization: Optional[Fraction]


class Operation(Record):
    """A computation or a transfer of one data set. `peer` receives a transfer, `stages` are those of a computation."""

    operation: str
    part: PartNumber
    to_part: Optional[PartNumber]
    outputs: Optional[List[str]]
    stages: Optional[List[str]]
    batch: Optional[int]
    processor: Optional[str]
    peer: Optional[str]
    data_set: int


class Step(Operation):
    """A step of a critical circuit, and how long it takes."""

    duration: Fraction


class OrderWait(Record):
    """Where a processor takes its work in a fixed order: what it does first, and what waits for that."""

    processor: Optional[str]
    earlier: Operation
    later: Operation


class CriticalCircuit(Record):
    """The operations that make the period what it is, each waiting for the one before: the first 20, or all."""

    length: int
    steps: List[Step]
    order_wait: Optional[OrderWait]


class Measured(Record):
    """What playing the net showed."""

    period: Fraction
    data_sets: int
    hyper_periods: int
    repeats_every_hyper_periods: Optional[int]
    transient_data_sets: Optional[int]
    column_transients: Optional[List[int]]


class FromEmpty(Record):
    """An estimate from plays that begin with the empty pipeline."""

    mean: Fraction
    mean_low: float
    mean_high: float
    gap: int
    period_low: float
    period_high: float


class Estimate(Record):
    """A sampled estimate of the period, which proves nothing."""

    mean: Fraction
    mean_low: float
    mean_high: float
    confidence: float
    draws: int
    data_sets: int
    seed: int
    from_empty: FromEmpty


class Unpaced(Record):
    """What becomes of stays where data sets are let in at will."""

    bounded: bool
    growth: Optional[Fraction]
    growth_by_data_set: Optional[List[Fraction]]


class LatencyPoint(Record):
    """A period, and the least latency at it."""

    period: Fraction
    least_latency: Fraction


class Latencies(Record):
    """How long data sets stay."""

    latency_alone: Fraction
    least_latency: Optional[Fraction]
    paced_latency: Optional[Fraction]
    paced_latency_by_data_set: Optional[List[Fraction]]
    unpaced: Optional[Unpaced]
    latency_curve: Optional[List[LatencyPoint]]


class AheadTransfer(Record):
    """A transfer that is to be ahead, by how many data sets."""

    sending_part: PartNumber
    receiving_part: PartNumber
    ahead_by: int
    room: Optional[int]


class Ahead(Record):
    """Transfers ahead that lower the period; `applied` says whether the answer is with them."""

    applied: Optional[bool]
    transfers: List[AheadTransfer]
    period: Optional[Fraction]
    period_without: Optional[Fraction]
    proved_least: Optional[bool]
    stay: Optional[Fraction]
    stay_without: Optional[Fraction]


class ModelPeriod(Record):
    """The exact period under a model, None where it is not known."""

    model: str
    rooms: Optional[int]
    period: Optional[Fraction]


class CriticalOperations(Record):
    """How many operations lie on critical circuits."""

    critical_operation_count: int
    operation_count: int
    single_circuit: bool
    circuit_count: Optional[int]


class FasterParameter(Record):
    """A parameter that is faster by a percentage: its value and the period then."""

    faster_percent: Fraction
    value: Fraction
    period: Optional[Fraction]
    gain_percent: Optional[float]


class FreeParameter(Record):
    """A parameter that takes no time: the period then, and the resource that is critical."""

    period: Optional[Fraction]
    gain_percent: Optional[float]
    limiting_resource: Optional[NamedResource]


class CurvePoint(Record):
    """A weight of a parameter, and the period with it."""

    weight: Fraction
    period: Optional[Fraction]


class Parameter(Record):
    """A number of the instance, and what it means for the period. `pointer` names it to takt.changed."""

    name: str
    pointer: str
    pointers: Optional[List[str]]
    value: Fraction
    inverse: bool
    share: Optional[Fraction]
    left_derivative: Optional[Fraction]
    right_derivative: Optional[Fraction]
    slack: Optional[Fraction]
    faster: Optional[FasterParameter]
    free: Optional[FreeParameter]
    target_value: Optional[Fraction]
    period_curve: Optional[List[CurvePoint]]


class Together(Record):
    """The fewest parameters that help together where none helps alone."""

    names: List[str]
    pointers: List[str]
    period: Optional[Fraction]
    is_smallest: bool


class FloatingOperation(Operation):
    """An operation, and by how much it may take longer: None where by any amount."""

    float: Optional[Fraction]
    outer_end: Optional[str]


class OneMore(Record):
    """The period with one port, or one core, more; `name` is what takt.changed takes."""

    name: str
    names: List[str]
    pointers: List[str]
    count_of: str
    count_now: int
    period: Optional[Fraction]
    gain_percent: Optional[float]


class RoomPeriod(Record):
    """The period with room for so many files everywhere."""

    room: int
    period: Optional[Fraction]


class Buffer(Record):
    """A room of a processor, before ("in") or behind ("out") its computation, and what it must hold."""

    part: PartNumber
    processor: Optional[str]
    side: str
    other: Optional[str]
    room_alone: int
    room_together: Optional[int]


class Target(Record):
    """What was asked of a plan."""

    period: Optional[Fraction]
    throughput: Optional[Fraction]
    budget: Optional[Fraction]
    latency: Optional[Fraction]
    headroom: Optional[Fraction]
    survive: Optional[int]
    strictly: Optional[bool]
    apart: Optional[bool]
    on_demand: Optional[Fraction]


class PlanBound(Record):
    """Proved: no plan of the class costs less."""

    class_: str
    cost_lower_bound: Optional[Fraction]


class PlannedPart(Record):
    """A part of a plan: its stages, and its machines of a type, or the names of its processors."""

    stages: List[str]
    type: Optional[str]
    machine_count: Optional[int]
    machine_cores: Optional[int]
    standby_count: Optional[int]
    staying_count: Optional[int]
    on_demand_count: Optional[int]
    demand: Optional[Fraction]
    utilization: Optional[Fraction]
    bound_by: Optional[List[str]]
    period_after_loss: Optional[Fraction]
    processors: Optional[List[str]]
    standing_by: Optional[List[str]]


class PlanFigures(Record):
    """What a plan costs and gives."""

    cost: Fraction
    period: Fraction
    throughput: Optional[Fraction]
    kept_period: Optional[Fraction]
    on_demand_period: Optional[Fraction]
    latency: Optional[Fraction]
    window: Optional[int]
    machines: Dict[str, int]
    machine_count: int
    machine_cores: Optional[int]
    parts: List[PlannedPart]


class PlanRow(PlanFigures):
    """A plan beside others."""


class TypePlan(Record):
    """The fastest plan with a machine of the type less, or more; None where there is none, or none faster."""

    type: str
    plan: Optional[PlanRow]


class Reason(Record):
    """Why there is no plan."""

    because: str
    text: str
    period: Optional[Fraction]
    stage: Optional[str]
    type: Optional[str]


class WiderPlan(Record):
    """A plan of a wider class."""

    class_: str
    cost: Fraction
    period: Fraction
    throughput: Optional[Fraction]
    machines: Dict[str, int]


class LatencyPlan(Record):
    """Machines added so that a share of all latencies is within a limit: the plan then, None where none were."""

    fraction: float
    latency_limit: Fraction
    kept: bool
    not_varied: Optional[str]
    percentile_alone: Optional[Estimated]
    percentile_before: Optional[Estimated]
    percentile_after: Optional[Estimated]
    plan: Optional[PlanRow]


class FoundPlan(Record):
    """The fastest plan of a class that was found, and a bound of all of it."""

    period: Fraction
    throughput: Optional[Fraction]
    machine_count: int
    period_lower_bound: Fraction


class AddedMachines(Record):
    """Machines of a part that are more than cycle times ask for."""

    part: PartNumber
    type: str
    machine_count: int


class WithoutMore(Record):
    """The plan with as few machines as cycle times ask for, and what is added to it."""

    cost: Fraction
    period: Fraction
    added: List[AddedMachines]


class MachinesToAdd(Record):
    """Machines to add to those there are, and the plan then; None where that is the answer's own."""

    machines: Dict[str, int]
    cost: Fraction
    is_least: bool
    any_mapping_cost_lower_bound: Optional[Fraction]
    varied_cost_lower_bound: Optional[Fraction]
    plan: Optional[PlanRow]


class PlanChanges(Record):
    """What changes from the machines that run to the plan."""

    running: Dict[str, int]
    setup_price: Optional[Fraction]
    staying_count: int
    setup_count: int
    moved: Dict[str, int]
    rented: Dict[str, int]
    returned: Dict[str, int]
    is_least: bool
    cheapest_cost: Optional[Fraction]
    cheapest_setup_count: Optional[int]


class QuotaUse(Record):
    """A quota of the document; `quota_used` is what the plan takes of it, None without a plan. Memory is in bytes."""

    quota_of: str
    counted_types: List[str]
    quota: Fraction
    quota_used: Optional[Fraction]


class PriceRange(Record):
    """Between which prices of a type, those of others unchanged, nothing of the class is cheaper than the plan."""

    type: str
    price: Fraction
    lowest_price: Fraction
    highest_price: Optional[Fraction]


class MachineLoss(Record):
    """What is left once a machine of the plan fails and the others go on with their turns; None where it stops."""

    machine: str
    period_after_loss: Optional[Fraction]


class RateCost(Record):
    """What another rate costs: the cheapest plan that was found."""

    cost: Fraction
    period: Fraction
    throughput: Fraction
    machine_count: int
    any_mapping_cost_lower_bound: Optional[Fraction]
    varied_cost_lower_bound: Optional[Fraction]


class SchedulePhase(Record):
    """A phase of a schedule: how long it lasts, its plan, and what changes from the phase before."""

    lasts: Fraction
    period: Fraction
    throughput: Fraction
    staying_count: Optional[int]
    setup_count: Optional[int]
    moved: Optional[Dict[str, int]]
    rented: Optional[Dict[str, int]]
    returned: Optional[Dict[str, int]]
    plan: Optional[PlanRow]
    impossible: Optional[bool]


class PlanSchedule(Record):
    """Plans for rates that change by a schedule, over and over."""

    lasts: Fraction
    setup_price: Optional[Fraction]
    cost: Optional[Fraction]
    cost_lower_bound: Optional[Fraction]
    one_plan_cost: Optional[Fraction]
    phases: List[SchedulePhase]


class PipelinePlan(Record):
    """A pipeline beside others on one stock of machines, and its plan; `impossible` where it has none even alone."""

    file: str
    wanted_period: Fraction
    plan: Optional[PlanRow]
    impossible: Optional[bool]


class MappedPart(Record):
    """A part of a mapping: its stages, and the processors that take turns."""

    stages: List[str]
    processors: List[str]


class TraceTable(Record):
    """Steps of a heuristic as a table."""

    title: str
    columns: List[str]
    table_rows: List[List[str]]


class Improvement(Record):
    """A better period, and the iteration that found it."""

    iteration: int
    period: Fraction


class Estimated(Record):
    """An estimate, and half the width of its interval of 95 %."""

    estimated: float
    margin: float


class EstimatedChange(Estimated):
    """A difference, and whether the copies can tell it from none."""

    told: bool


class Percentile(Estimated):
    """A latency that this share of all data sets keeps within."""

    fraction: float
    latency_change: Optional[EstimatedChange]


class RateLatencies(Record):
    """Latencies at a rate, from arrival to delivery; None where they grow without bound."""

    arrival_gap: float
    rate_share: float
    grows: bool
    settled: bool
    copies: int
    data_sets: int
    latency_mean: Optional[Estimated]
    latency_change: Optional[EstimatedChange]
    percentiles: List[Percentile]


class KeptLimit(Record):
    """The smallest gap between arrivals, the largest rate, at which a share of all latencies is within a limit."""

    fraction: float
    latency_limit: Fraction
    arrival_gap: Optional[float]
    arrival_gap_low: Optional[float]
    arrival_gap_high: Optional[float]
    alone: Optional[float]
    not_varied: Optional[str]


class ComparedNet(Record):
    """One of what is compared on the same draws; changes are from the one before."""

    file: str
    model: str
    rooms: Optional[int]
    window: Optional[int]
    period: Optional[Fraction]
    expected_period: Estimated
    bound_share: Optional[float]
    throughput_change: Optional[EstimatedChange]
    at_rates: List[RateLatencies]


class MapReport(Record):
    """What takt says of a mapping that a heuristic made."""

    file: str
    heuristic: Optional[str]
    model: Optional[str]
    rooms: Optional[int]
    time_unit: Optional[str]
    predicted_period: Optional[Fraction]
    periods: List[ModelPeriod]
    relation: str
    gap_percent: Optional[float]
    limit: Optional[str]
    any_mapping_period_lower_bound: Optional[Fraction]
    varied_period_lower_bound: Optional[Fraction]
    freedoms_varied: List[str]
    freedoms_left_out: List[str]
    above_bound_percent: Optional[float]
    cut_short: bool
    notes: List[str]
    mapping: List[MappedPart]
    trace: Optional[List[TraceTable]]
    improvements: Optional[List[Improvement]]
    ahead: Optional[Ahead]
    within: Optional[KeptLimit]


class CycleArc(Record):
    """An arc of a cycle: its place in the graph, the vertices it leads from and to, its weight and tokens."""

    arc: int
    from_: Any
    to: Any
    weight: Fraction
    tokens: int

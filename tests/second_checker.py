#!/usr/bin/env python3
"""A second checker of certificates, written from docs/certificates.md alone. It shares nothing with takt.

Usage: second_checker.py INSTANCE CERTIFICATE [INSTANCE CERTIFICATE]...
Prints a line for each pair: proved, refused or unreadable, and for the last two why. Instances are taken to be right.
Slow: for small instances.
"""
import heapq
import json
import re
import sys
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

MODELS = ("overlap", "strict", "bounded")
PORTS = ("in", "compute", "out", "both", "segment")


class Unreadable(Exception):
    """An error of form."""


class Refused(Exception):
    """The certificate proves nothing."""


class JsonNumber(str):
    """A number as it was written."""


def need(condition, text, error=Unreadable):
    if not condition:
        raise error(text)


# --- Form.


def members_once(pairs):
    need(len(dict(pairs)) == len(pairs), "a key stands twice")
    return dict(pairs)


def no_constant(name):
    raise Unreadable(name)


def parse(path):
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return json.load(file, object_pairs_hook=members_once, parse_int=JsonNumber, parse_float=JsonNumber,
                             parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def number(value, most_digits=100_000):
    if isinstance(value, JsonNumber):
        mantissa, _, exponent = value.lower().partition("e")
        digits = mantissa.lstrip("-").replace(".", "")
        need(len(digits) <= most_digits and abs(int(exponent or "0")) <= 300, "a number is too long")
        return Fraction(value)
    need(isinstance(value, str), "no number")
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?", value) and re.search(r"[.eE]", value):
        return number(JsonNumber(value), most_digits)
    match = re.fullmatch(r"(-?)([0-9]+)(?:/([0-9]+))?", value)
    need(match, "no number")
    above, below = match[2], match[3] or "1"
    need(len(above) <= most_digits and len(below) <= most_digits and int(below) > 0, "no number")
    return Fraction(int(match[1] + above), int(below))


TIMES = {"s": Fraction(1), "ms": Fraction(1, 10**3), "us": Fraction(1, 10**6), "\u00b5s": Fraction(1, 10**6),
         "\u03bcs": Fraction(1, 10**6), "ns": Fraction(1, 10**9), "min": Fraction(60), "h": Fraction(3600)}
SIZES = {prefix + "B": Fraction(1000**k) for k, prefix in enumerate(["", "k", "M", "G", "T"])}
SIZES |= {prefix + "iB": Fraction(1024**k) for k, prefix in enumerate(["K", "M", "G", "T"], 1)}
SIZES |= {prefix + "bit": Fraction(1000**k, 8) for k, prefix in enumerate(["", "k", "M", "G", "T"])}


def quantity(value):
    """A number with or without a unit, in seconds and bytes; of one that varies the mean."""
    if isinstance(value, dict):
        samples = [quantity(sample) for sample in value.get("samples", [])]
        return sum(samples) / len(samples) if samples else quantity(value["mean"])
    if isinstance(value, JsonNumber):
        return number(value)
    match = re.fullmatch(r"(-?[0-9]+(?:/[0-9]+|(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)) *(.*)", value)
    unit = match[2]
    if not unit:
        return number(value)
    size, _, time = unit.partition("/")
    if unit in TIMES:
        factor = TIMES[unit]
    elif unit in SIZES:
        factor = SIZES[unit]
    else:
        factor = (SIZES[size] if size else 1) / TIMES[time]
    return number(match[1]) * factor


def whole(value, least=0, end=None):
    result = number(value)
    need(result.denominator == 1 and result >= least and (end is None or result < end), "not whole, or out of bounds")
    return int(result)


def keys(value, required, optional=()):
    need(isinstance(value, dict), "no object")
    need(all(key in value for key in required), "a key is missing")
    need(all(key in required or key in optional for key in value), "an unknown key")
    return value


def items(value):
    need(isinstance(value, list), "no list")
    return value


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def read_resource(value):
    need(type(value["resource"]) is str, "no name of a processor")
    need(value.get("port", "in") in PORTS, "an unknown port")
    return value["resource"], value.get("port")


def read_clock(value):
    keys(value, ("resource", "value"), ("port",))
    return read_resource(value), number(value["value"])


def read_column(value):
    return whole(value, 0, 2**64)


def read_schedule(value):
    keys(value, ("column", "modulus", "start"))
    start = [number(item) for item in items(value["start"])]
    need(whole(value["modulus"], 1) == len(start), "the modulus does not count the starts")
    return read_column(value["column"]), start


def read_step(value):
    keys(value, ("column", "to", "height"))
    return tuple(read_column(value[key]) for key in ("column", "to", "height"))


def read_buffer(value):
    keys(value, ("processor", "part", "side", "room"), ("other",))
    need(type(value["processor"]) is str, "no name of a processor")
    need(value["side"] in ("in", "out"), "an unknown side")
    need(type(value.get("other", "")) is str, "no text for a part")
    place = value["processor"], read_column(value["part"]), value["side"], value.get("other")
    return place, whole(value["room"], 1, 1001)


def read_floor(value):
    keys(value, ("unit", "highest", "transfers"))
    transfers = []
    for transfer in items(value["transfers"]):
        keys(transfer, ("sees", "keeps", "pairs"))
        sets = {key: [[whole(part, 0, 2**64) for part in items(parts)] for parts in items(transfer[key])]
                for key in ("sees", "keeps")}
        pairs = [keys(pair, ("sees", "keeps", "floor")) for pair in items(transfer["pairs"])]
        transfers.append((sets["sees"], sets["keeps"],
                          [(whole(pair["sees"], 0, 2**32), whole(pair["keeps"], 0, 2**32),
                            [whole(item, -2**31, 2**31) for item in items(pair["floor"])]) for pair in pairs]))
    unit = number(value["unit"])
    need(unit > 0, "the unit is not positive")
    return unit, whole(value["highest"], 0, 2**63), transfers


def read_certificate(path):
    value = parse(path)
    need(depth(value) <= 64, "too deep")
    keys(value, ("model",), ("rooms", "window", "buffers", "period", "lower", "upper", "resource", "port", "data_set",
                             "circuit", "clocks", "columns", "schedule", "floor", "expected_upper"))
    need(value["model"] in MODELS, "an unknown model")
    need("rooms" not in value or value["model"] == "bounded", "rooms that the model has not")
    result = {"model": value["model"], "rooms": whole(value.get("rooms", "1"), 1, 1001)}
    result["window"] = whole(value["window"], 1, 100_001) if "window" in value else None
    result["buffers"] = [read_buffer(buffer) for buffer in items(value["buffers"])] if "buffers" in value else []
    bounds = [key for key in ("period", "lower", "upper") if key in value]
    need(bounds in (["period"], ["lower", "upper"]), "neither a period nor two bounds")
    result["lower"], result["upper"] = number(value[bounds[0]]), number(value[bounds[-1]])
    result["expected"] = number(value["expected_upper"]) if "expected_upper" in value else None
    need(result["lower"] >= 0 and result["upper"] >= 0, "a bound is negative")
    need(result["expected"] is None or result["expected"] >= 0, "a bound is negative")
    if "resource" in value:
        need("circuit" not in value and "data_set" not in value, "a resource beside a circuit")
        result["resource"] = read_resource(value)
    else:
        need("circuit" in value and "data_set" in value and "port" not in value, "neither a resource nor a circuit")
        result["circuit"] = [read_step(step) for step in items(value["circuit"])]
        result["data_set"] = whole(value["data_set"])
    witnesses = [key for key in ("clocks", "columns", "schedule", "floor") if key in value]
    need(len(witnesses) == 1, "not one upper witness")
    if "floor" in value:
        result["floor"] = read_floor(value["floor"])
        return result
    read = {"clocks": read_clock, "schedule": read_schedule,
            "columns": lambda item: (read_column(keys(item, ("column", "clocks"))["column"]),
                                     [read_clock(clock) for clock in items(item["clocks"])])}[witnesses[0]]
    result[witnesses[0]] = [read(item) for item in items(value[witnesses[0]])]
    return result


# --- The net.


def transfer_time(layers, size, messages=1):
    """Of messages of that size together, None where unknown; layers of bandwidth, latency or time, the nearest
    first."""
    bandwidth = latency = None
    for layer in layers:
        if "time" in layer:
            if bandwidth is None and latency is None:
                return messages * quantity(layer["time"])
            break
        if bandwidth is None and "bandwidth" in layer:
            bandwidth = quantity(layer["bandwidth"])
        if latency is None and "latency" in layer:
            latency = quantity(layer["latency"])
    return messages * (latency or 0) + size() / bandwidth


def ports_of(value):
    """How many files at once each way, None for no limit."""
    return None if value.get("ports") == "unlimited" else whole(value.get("ports", "1"), 1)


class Platform:
    """Processors, each by its own name, and the hosts whose ports they use."""

    def __init__(self, platform):
        self.processors, self.groups, self.host = {}, {}, {}
        for entry in platform["processors"]:
            name, cores = entry["name"], whole(entry.get("cores", "1"), 1)
            names = [f"{name}.{core}" for core in range(1, cores + 1)] if cores > 1 else [name]
            self.groups[name] = names
            for own in names:
                self.processors[own] = entry | {"name": own, "entry": name}
                self.host[own] = entry.get("host", name)
        members = {}
        for name, host in self.host.items():
            members.setdefault(host, []).append(name)
        self.shared = {host for host, names in members.items() if len(names) > 1}
        # A host's processors share one card: what stands in one of their entries holds for all.
        for names in members.values():
            for key in ("bandwidth", "ports", "memory bandwidth"):
                said = [self.processors[name][key] for name in names if key in self.processors[name]]
                for name in names:
                    self.processors[name] |= {key: value for value in said[:1]}
        self.ports = {host: ports_of(self.processors[names[0]]) for host, names in members.items()}
        # What stands for the world at either end, in turn, by name.
        self.ends = {}
        for end in ("source", "sink"):
            for entry in [platform[end] | {"name": end}] if end in platform else platform.get(end + "s", []):
                self.ends.setdefault(end, []).append(entry["name"])
                self.ends[end, entry["name"]] = entry
                self.host[entry["name"]] = entry["name"]
                self.ports[entry["name"]] = ports_of(entry)
        self.segments = [Segment(self, entry) for entry in platform.get("segments", [])]
        for segment in self.segments:
            self.ports |= {name: ports_of(segment.entry) for name in segment.names}

    def turns(self, entries):
        """One core of each host in turn, then the next of each; each with its place in its batch and that one's size."""
        named = [(entry, 1) if type(entry) is str else (entry["processor"], whole(entry.get("batch", "1"), 1))
                 for entry in entries]
        lists = [[(core, size) for core in self.groups.get(name, [name])] for name, size in named]
        dealt = [cores[k] for k in range(max(map(len, lists))) for cores in lists if k < len(cores)]
        return [(name, place, size) for name, size in dealt for place in range(size)]

    def are_together(self, here, there):
        return self.host[here] == self.host[there]

    def host_of(self, name):
        """Of any name in a document: of one processor or of several cores."""
        return self.host[self.groups.get(name, [name])[0]]

    def hosts_named(self, name):
        """Of any name in a segment."""
        if name in self.host.values():
            return {name}
        if name in self.groups or name in self.host:
            return {self.host_of(name)}
        return {self.host[own] for own, entry in self.processors.items() if entry.get("type") == name}

    def segments_between(self, here, there):
        """Segments that a transfer uses, each with the name that results have for its direction."""
        found = [(segment, segment.way(self.host[here], self.host[there])) for segment in self.segments]
        return [(segment, way) for segment, way in found if way]

    def segment_bandwidths(self, here, there):
        return [segment.entry["bandwidth"] for segment, _ in self.segments_between(here, there)
                if "bandwidth" in segment.entry]


class Segment:
    """A wire between two sets of hosts, sources and sinks."""

    def __init__(self, platform, entry):
        self.entry = entry
        self.sets = [set().union(*map(platform.hosts_named, names)) for names in entry["between"]]
        name = entry["name"]
        self.names = [f"{name} forward", f"{name} reverse"] if entry.get("duplex", True) else [name, name]

    def way(self, here, there):
        for name, (first, second) in zip(self.names, (self.sets, self.sets[::-1])):
            if here in first and there in second:
                return name
        return None


class Column(NamedTuple):
    """A computation of a part, or what that sends to a receiver: files of stages, none of the source."""
    part: int
    receiver: int | None = None
    files: tuple = ()

    @property
    def is_transfer(self):
        return self.receiver is not None


def end_name(value):
    """The end of a transfer: the number of a part, "source" or "sink"."""
    return value if value in ("source", "sink") else str(whole(value))


class Columns:
    """Who does what when, and for how long."""

    def __init__(self, instance, model):
        self.stages = instance["application"]["stages"]
        self.application = instance["application"]
        self.platform = instance["platform"]
        self.hosts = Platform(self.platform)
        self.processors = self.hosts.processors
        self.model = model
        self.gains = [Fraction(1)]
        for before, stage in zip(self.stages, self.stages[1:]):
            rate = number(before.get("produces", "1")) / number(stage.get("consumes", "1"))
            self.gains.append(self.gains[-1] * rate)
        place = {stage["name"]: k for k, stage in enumerate(self.stages)}
        # A part is the numbers of its stages, none for source and sink, and its sequence of processors.
        turns = [self.hosts.turns(part["processors"]) for part in instance["mapping"]]
        self.parts = [([place[name] for name in part["stages"]], [name for name, _, _ in own])
                      for part, own in zip(instance["mapping"], turns)]
        # By part and entry, how many data sets later its batch ends, and how many that has.
        self.batches = [[(size - 1 - place, size) for _, place, size in own] for own in turns]
        if "source" in self.hosts.ends:
            self.parts.insert(0, ([], self.hosts.ends["source"]))
            self.batches.insert(0, [(0, 1)])
        if "sink" in self.hosts.ends:
            self.parts.append(([], self.hosts.ends["sink"]))
            self.batches.append([(0, 1)])
        self.end_names = {name for stages, sequence in self.parts if not stages for name in sequence}
        lengths = [len(sequence) for _, sequence in self.parts]
        self.rows = lcm(*lengths)
        self.columns = self.lay_out(place)
        if "order" in instance:
            self.columns = self.in_order(instance["order"])
        self.computation = {column.part: c for c, column in enumerate(self.columns) if not column.is_transfer}
        # By part, the columns of what it receives and of what it sends.
        transfers = [c for c, column in enumerate(self.columns) if column.is_transfer]
        parts = range(len(self.parts))
        self.receptions = [[c for c in transfers if self.columns[c].receiver == part] for part in parts]
        self.sendings = [[c for c in transfers if self.columns[c].part == part] for part in parts]
        # Pairs of columns: a file is sent when it is computed, and used when it has arrived.
        self.flow = [(self.computation[self.columns[c].part], c) for c in transfers]
        self.flow += [(c, self.computation[self.columns[c].receiver]) for c in transfers]
        self.period = [lcm(*[lengths[part] for part in (column.part, column.receiver) if part is not None])
                       for column in self.columns]
        # Column c is on data set j in round j + shift[c]; what follows counts rounds.
        self.shift = self.shifts(instance.get("transfers", []))
        self.durations = [[self.duration_on(c, r - self.shift[c]) for r in range(self.period[c])]
                          for c in range(len(self.columns))]

    def lay_out(self, place):
        """By part: its computation, then its transfers by receiving part."""
        takes = [[place[name] for name in stage["after"]] if "after" in stage else [k - 1] if k > 0 else []
                 for k, stage in enumerate(self.stages)]
        taken = {k for files in takes for k in files}
        result = []
        for sender, (stages, _) in enumerate(self.parts):
            result.append(Column(sender))
            for receiver, (others, _) in enumerate(self.parts[sender + 1:], sender + 1):
                if not stages and any(not takes[k] for k in others):
                    result.append(Column(sender, receiver))
                wanted = {k for other in others for k in takes[other]} if others else set(stages) - taken
                if files := [k for k in stages if k in wanted]:
                    result.append(Column(sender, receiver, tuple(files)))
        return result

    def in_order(self, order):
        """The same columns, the transfers in that order: before each the computation of its sender and those of earlier
        parts, in order, that have all their files by then."""
        left = {(self.part_name(column.part), self.part_name(column.receiver)): column
                for column in self.columns if column.is_transfer}
        result = []

        def compute(last):
            for part in range(last + 1):
                if Column(part) not in result and all(column.receiver != part for column in left.values()):
                    result.append(Column(part))

        for served in order:
            column = left[end_name(served["from"]), end_name(served["to"])]
            compute(column.part)
            result.append(left.pop((end_name(served["from"]), end_name(served["to"]))))
        compute(len(self.parts) - 1)
        return result

    def part_name(self, part):
        """As documents name it: its number in the mapping, or "source" or "sink"."""
        if not self.parts[part][0]:
            return "sink" if part > 0 else "source"
        return str(part - (1 if "source" in self.hosts.ends else 0))

    def shifts(self, transfers):
        """By column. A part computes behind all that it receives, and what it takes ahead comes that much earlier."""
        said = {(end_name(transfer["from"]), end_name(transfer["to"])): whole(transfer.get("ahead", "0"))
                for transfer in transfers}
        ahead = {c: said.get((self.part_name(self.columns[c].part), self.part_name(self.columns[c].receiver)), 0)
                 for receptions in self.receptions for c in receptions}
        result = [0] * len(self.columns)
        for part in range(len(self.parts)):
            computation = self.computation[part]
            for c in self.receptions[part]:
                sender = self.columns[c].part
                largest = max(size for _, size in self.batches[sender])
                result[computation] = max(result[computation],
                                          result[self.computation[sender]] + largest - 1 + ahead[c])
            for c in self.receptions[part]:
                result[c] = result[computation] - ahead[c]
        return result

    def processor(self, part, j):
        sequence = self.parts[part][1]
        return sequence[j % len(sequence)]

    def ends_of(self, c, j):
        """The processors between which it sends; of a computation one and no other."""
        column = self.columns[c]
        return self.processor(column.part, j), self.processor(column.receiver, j) if column.is_transfer else None

    def is_internal(self, c, j):
        return self.columns[c].is_transfer and self.is_free(*self.ends_of(c, j))

    def is_free(self, here, there):
        """Whether files between the two take no time, no port and no room."""
        return here == there or (self.hosts.are_together(here, there)
                                 and "memory bandwidth" not in self.processors[here])

    def duration_on(self, c, j):
        column = self.columns[c]
        return self.transfer_on(c, j) if column.is_transfer else self.computation_on(column.part, j)

    def computation_on(self, part, j):
        stages, _ = self.parts[part]
        if not stages:
            return Fraction(0)
        processor = self.processors[self.processor(part, j)]
        to_end, size = self.batches[part][j % len(self.batches[part])]
        if to_end > 0:  # the last computation of a batch is that of all
            return Fraction(0)
        if "time" in processor:
            return size * self.gains[stages[0]] * quantity(processor["time"])
        return sum(self.gains[k] * self.firing_time(self.stages[k], processor, size) for k in stages)

    def transfer_on(self, c, j):
        if self.is_internal(c, j):
            return Fraction(0)
        part, receiver, files = self.columns[c]
        here, there = self.ends_of(c, j)
        if not self.parts[part][0]:
            return transfer_time(self.end_layers("source", here, there), lambda: quantity(self.application["input"]))
        size = lambda: sum(self.gains[k] * quantity(self.stages[k]["output"]) for k in files)
        # Only stages of chains make other numbers of files than one.
        messages = self.gains[files[0]] * number(self.stages[files[0]].get("produces", "1")) if len(files) == 1 else 1
        if not self.parts[receiver][0]:
            return transfer_time(self.end_layers("sink", there, here), size, messages)
        if self.hosts.are_together(here, there):
            return size() / quantity(self.processors[here]["memory bandwidth"])
        return transfer_time([self.link(here, there), self.port_layer(here, there), self.platform], size, messages)

    def varied_on(self, c, j):
        """What a transfer's time is made of, as the document says it, with whether the data set's factor multiplies it."""
        part, receiver, files = self.columns[c]
        here, there = self.ends_of(c, j)
        sizes = [self.stages[k]["output"] for k in files if "output" in self.stages[k]]
        if not self.parts[part][0]:
            layers, sizes = self.end_layers("source", here, there), [self.application.get("input", JsonNumber("0"))]
        elif not self.parts[receiver][0]:
            layers = self.end_layers("sink", there, here)
        else:
            layers = [self.link(here, there), self.port_layer(here, there), self.platform]
        found, has_bandwidth = [], False
        for layer in layers:
            if "time" in layer:
                if not found and not has_bandwidth:
                    return [(layer["time"], True)]
                break
            has_bandwidth = has_bandwidth or "bandwidth" in layer
            if not found and "latency" in layer:
                found = [(layer["latency"], False)]
        return found + [(size, True) for size in sizes]

    def port_layer(self, *processors):
        """The least bandwidth of the two and of segments, the platform's for who has none, if any has one."""
        own = [self.processors[name].get("bandwidth") for name in processors]
        if not any(own) and "time" in self.platform:
            return {}  # of the whole way, segments included
        known = [bandwidth for bandwidth in own if bandwidth] + self.hosts.segment_bandwidths(*processors)
        if not known:
            return {}
        if not all(own) and "bandwidth" in self.platform:
            known.append(self.platform["bandwidth"])
        return {"bandwidth": min(known, key=quantity)}

    def firing_time(self, stage, processor, size):
        times = stage.get("time", {})
        own = times.get(processor["name"], times.get(processor["entry"]))
        if own is None:
            return size * quantity(stage["work"]) / quantity(processor["speed"])
        if type(own) is dict and "each" in own:
            return quantity(own.get("fixed", "0")) + size * quantity(own["each"])
        return size * quantity(own)

    def computed_with(self, part, j):
        """The data set whose operation computes this one."""
        return j + self.batches[part][j % len(self.batches[part])][0]

    def done_with(self, c, j):
        """The data set whose operation of a column is that of this one: a computation's may be of a batch."""
        return j if self.columns[c].is_transfer else self.computed_with(self.columns[c].part, j)

    def end_layers(self, end, name, processor):
        here = self.hosts.ends[end, name]
        own = [link for link in here.get("links", [])
               if self.hosts.host_of(link["processor"]) == self.hosts.host[processor]]
        known = [value for value in [self.processors[processor].get("bandwidth")] if value]
        if known or "bandwidth" in here or "time" not in self.platform:
            known += self.hosts.segment_bandwidths(name, processor)
        if known and "time" not in here:
            others = [value for value in [here.get("bandwidth", self.platform.get("bandwidth"))] if value]
            own.append({"bandwidth": min(known + others, key=quantity)})
        return own + [here, self.platform]

    def link(self, here, there):
        links = self.platform.get("links", [])
        wanted = (self.hosts.host[here], self.hosts.host[there])
        ends = [(self.hosts.host_of(link["from"]), self.hosts.host_of(link["to"])) for link in links]
        for link, pair in zip(links, ends):
            if link.get("directed", False) and pair == wanted:
                return link
        for link, pair in zip(links, ends):
            if not link.get("directed", False) and set(pair) == set(wanted):
                return link
        return {}

    def resources_of(self, c, r):
        part, j = self.columns[c].part, r - self.shift[c]
        here, there = self.ends_of(c, j)
        if there is None:
            if self.computed_with(part, j) != j and self.receptions[part]:
                return []  # it only waits for its files, which the whole batch does, too
            return [(here, None if self.model == "strict" and not self.is_open(here) else "compute")]
        if self.is_internal(c, j):
            return []
        result = [(name, None) for name in (here, there) if not self.is_open(name)] if self.model == "strict" else []
        if self.hosts.are_together(here, there):
            return result
        for name, port in ((here, "out"), (there, "in")):
            host = self.hosts.host[name]
            # Where a processor does one thing at a time its own port says nothing more.
            is_beside = host in self.hosts.shared or self.is_open(name)
            if self.hosts.ports[host] is not None and (self.model != "strict" or is_beside):
                result.append((host, port))
        result += [(way, "segment") for _, way in self.hosts.segments_between(here, there)
                   if self.hosts.ports[way] is not None]
        return result

    def is_open(self, name):
        """Whether it is a source or sink with another number of ports than one."""
        return name in self.end_names and self.hosts.ports[name] != 1

    def places(self, resource):
        """How many operations it handles at once, in turn."""
        name, port = resource
        return self.hosts.ports[name] if port in ("in", "out", "segment") else 1


class Net(Columns):
    def __init__(self, instance, certificate):
        super().__init__(instance, certificate["model"])
        # Operations by resource, on the data sets of the first `rows`.
        self.resources = {}
        for j in range(self.rows):
            for c in range(len(self.columns)):
                for resource in self.resources_of(c, j):
                    self.resources.setdefault(resource, []).append((c, j))
        # Dependences (c, c', h) to the data sets on which they hold, modulo `rows`.
        self.dependences = {}
        # Pairs of columns between which there are tokens of no resource.
        self.tokens_of_none = set()
        for c, to in self.flow:
            for j in range(self.rows):
                # Of a batch all files are sent behind its computation, which waits for each of them.
                self.add(c, self.done_with(c, j), to, j)
                self.add(c, self.done_with(c, j), to, self.done_with(to, j))
        # By operation of the first `rows` what it waits for: a resource, and the operation that had that, perhaps before.
        self.waits = {}
        for resource in self.resources:
            self.add_list(resource)
        buffers = self.buffers()
        if self.model == "bounded":
            for buffer in buffers:
                self.add_room(*buffers[buffer], certificate["rooms"])
        need(len(dict(certificate["buffers"])) == len(certificate["buffers"]), "a buffer stands twice", Refused)
        for buffer, room in self.rooms_of(instance.get("transfers", []), buffers):
            need(dict(certificate["buffers"]).get(buffer) == room, "a room of the instance is missing", Refused)
        for buffer, room in certificate["buffers"]:
            need(buffer in buffers, "no such buffer", Refused)
            self.add_room(*buffers[buffer], room)
        if certificate["window"] is not None:
            self.add_window(certificate["window"])

    def add(self, c, j, to, later, is_of_resource=False):
        """On data set j of a column that of another, `later`, waits for it; and so on after all rows."""
        height = later + self.shift[to] - j - self.shift[c]
        self.dependences.setdefault((c, to, height), set()).add((j + self.shift[c]) % self.rows)
        if height > 0 and not is_of_resource:
            self.tokens_of_none.add((c, to))

    def add_list(self, resource):
        """Each operation of a list that repeats after all rows waits for the one as many before as there are places."""
        operations = self.resources[resource]
        for k, (c, r) in enumerate(operations):
            laps, place = divmod(k + self.places(resource), len(operations))
            to, later = operations[place]
            self.add(c, r - self.shift[c], to, later + laps * self.rows - self.shift[to], is_of_resource=True)
            self.waits.setdefault((to, later), []).append((resource, c, r - laps * self.rows))

    def buffers(self):
        """By processor, number of the part in the mapping, side and, where it has several transfers on that side, the
        part at the other end: from and to which column, and the data sets."""
        result = {}
        for part, (stages, sequence) in enumerate(self.parts):
            for side, transfers in (("in", self.receptions[part]), ("out", self.sendings[part])):
                for c in transfers if stages else ():
                    other = self.columns[c].part if side == "in" else self.columns[c].receiver
                    ends = (self.computation[part], c) if side == "in" else (c, self.computation[part])
                    label = self.part_name(other) if len(transfers) > 1 else None
                    for name in set(sequence):
                        data_sets = [j for j in range(self.rows)
                                     if self.processor(part, j) == name and not self.is_internal(c, j)]
                        if data_sets:
                            result[name, int(self.part_name(part)), side, label] = (*ends, data_sets)
        return result

    def rooms_of(self, transfers, buffers):
        """The buffers before computations whose room the instance limits."""
        rooms = {(end_name(transfer["from"]), end_name(transfer["to"])): whole(transfer["room"])
                 for transfer in transfers if "room" in transfer}
        for buffer, (_, target, _) in buffers.items():
            column = self.columns[target]
            if buffer[2] == "in" and (ends := (self.part_name(column.part), self.part_name(column.receiver))) in rooms:
                yield buffer, rooms[ends]

    def add_room(self, source, target, data_sets, room):
        for k, j in enumerate(data_sets):
            laps, place = divmod(k + room, len(data_sets))
            # A batch takes, and leaves, its places with its one computation.
            end = self.done_with(source, j)
            later = self.done_with(target, data_sets[place]) + laps * self.rows
            need(later + self.shift[target] > end + self.shift[source], "a file would wait for itself", Refused)
            self.add(source, end, target, later)

    def add_window(self, window):
        entries = [part for part, receptions in enumerate(self.receptions) if not receptions]
        exits = [part for part, sendings in enumerate(self.sendings) if not sendings]
        for part in exits:
            last = self.computation[part]
            largest = max(size for _, size in self.batches[part])
            need(window > self.shift[last] + largest - 1, "no data set would be delivered", Refused)
            for j in range(self.rows):
                for k in range(len(self.parts[part][1])):
                    for entry in entries:
                        self.add(last, self.done_with(last, j), self.computation[entry], j + window + k)

    def first_column(self, resource):
        return min(c for c, _ in self.resources[resource])

    def clusters(self):
        """Lists of columns, in order, that wait for each other, directly or not."""
        behind = {c: {to for other, to, _ in self.dependences if other == c} for c in range(len(self.columns))}
        for middle in behind:
            for c in behind:
                if middle in behind[c]:
                    behind[c] |= behind[middle]
        return sorted({tuple(sorted({c} | {to for to in behind[c] if c in behind[to]})) for c in behind})

    def repetition_of(self, cluster):
        """Rows after which its columns and the lists of the resources in it repeat."""
        lists = [{c for c, _ in operations} for operations in self.resources.values()]
        return lcm(*(self.period[c] for own in (set(cluster), *lists) if own & set(cluster) for c in own))

    def cycle_time(self, resource):
        """The busiest place's: operation k takes place k modulo their number, lap after lap of all rows."""
        places = self.places(resource)
        operations = self.resources[resource]
        busy = [Fraction(0)] * gcd(places, len(operations))
        for k, (c, j) in enumerate(operations):
            busy[k % len(busy)] += self.durations[c][j % self.period[c]]
        return max(busy) * len(busy) / (places * self.rows)


# --- The witnesses.


def check_circuit(net, steps, data_set, lower):
    need(steps, "no step", Refused)
    for (_, to, _), (column, _, _) in zip(steps, steps[1:] + steps[:1]):
        need(to == column, "the circuit is not closed", Refused)
    lap = sum(height for _, _, height in steps)
    need(lap > 0, "the circuit's heights sum to 0", Refused)
    time = Fraction(0)
    for column, to, height in steps:
        holds_on = net.dependences.get((column, to, height), set())
        stride = gcd(lap, net.rows)
        need(all(j in holds_on for j in range(data_set % stride, net.rows, stride)), "no dependence", Refused)
        period = net.period[column]
        stride = gcd(lap, period)
        visited = range(data_set % stride, period, stride)
        time += sum(net.durations[column][j] for j in visited) / len(visited)
        data_set += height
    need(time / lap >= lower, "the circuit takes less", Refused)


def check_schedule(net, schedule, upper):
    columns = dict(schedule)
    every = list(range(len(net.columns)))
    need(len(columns) == len(schedule) and sorted(columns) == every, "not each column once", Refused)
    for (c, to, height), holds_on in net.dependences.items():
        starts, later = columns[c], columns[to]
        classes = lcm(len(starts), net.rows)
        g = gcd(classes, len(later))
        earliest = {}
        for p, start in enumerate(later):
            earliest[p % g] = min(start - upper * p, earliest.get(p % g, start - upper * p))
        for p in range(classes):
            if p % net.rows in holds_on:
                own = p % len(starts)
                end = starts[own] + net.durations[c][p % net.period[c]] - upper * (own + height)
                need(end <= earliest[(p + height) % g], "the schedule breaks a dependence", Refused)


def clocks_of(net, clocks):
    free = dict(clocks)
    need(len(free) == len(clocks) and set(free) == set(net.resources), "not each resource once", Refused)
    return free


def play(net, clocks, columns, rows, upper):
    """Rows of these columns, each operation behind those among them that it waits for."""
    before = {c: [other for other, to in net.flow if to == c and other in columns] for c in columns}
    waits = {(c, r): [wait for wait in net.waits.get((c, r), []) if wait[1] in columns]
             for c in columns for r in range(net.rows)}
    if not any(before.values()) and not any(waits.values()):
        return
    end = {}
    for r in range(rows):
        for c in columns:
            starts = [end[other, r] for other in before[c]]
            starts += [end[other, turn] if turn >= 0 else clocks[resource] for resource, other, turn in waits[c, r]]
            need(starts, "an operation waits for nothing", Refused)
            end[c, r] = max(starts) + net.durations[c][r % net.period[c]]
    # What would wait for a clock, were these rows the first, waits for an end behind them.
    for resource, other, turn in (wait for of_one in waits.values() for wait in of_one if -rows <= wait[2] < 0):
        need(end[other, turn + rows] <= clocks[resource] + rows * upper, "a clock is late", Refused)


def check_clocks(net, clocks, upper):
    free = clocks_of(net, clocks)
    need(not net.tokens_of_none, "a token belongs to no resource", Refused)
    play(net, free, range(len(net.columns)), net.rows, upper)


def check_columns(net, columns, upper):
    need(len({c for c, _ in columns}) == len(columns), "a column stands twice", Refused)
    need(all(c < len(net.columns) for c, _ in columns), "no such column", Refused)
    free = clocks_of(net, [clock for _, clocks in columns for clock in clocks])
    for c, clocks in columns:
        need(all(net.first_column(resource) == c for resource, _ in clocks), "a clock of another column", Refused)
    for cluster in net.clusters():
        inside = [pair for pair in net.tokens_of_none if set(pair) <= set(cluster)]
        need(not inside, "a token belongs to no resource", Refused)
        play(net, free, cluster, net.repetition_of(cluster), upper)


class Floor:
    """What follows from a floor. An item is a transfer and a tuple of residues by part, -1 where unknown."""

    def __init__(self, net, floor, upper):
        self.unit, self.highest, self.transfers = floor
        self.net, self.upper = net, upper
        self.lengths = [len(sequence) for _, sequence in net.parts]
        self.rises = {}
        self.waiting = []
        self.look_at_net()
        need(self.highest < 2**31, "the highest is too high", Refused)
        need(len(self.transfers) == len(self.lengths) - 1, "not each transfer once", Refused)
        for t in range(len(self.transfers)):
            self.look_at(t)

    def look_at_net(self):
        m = self.lengths
        need(2 <= len(m) <= 64, "too few parts, or too many", Refused)
        transfers = [column[:2] for column in self.net.columns if column.is_transfer]
        need(transfers == [(t, t + 1) for t in range(len(m) - 1)], "no chain", Refused)
        last = 2 * len(m) - 2
        plain = {(c, c + 1, 0) for c in range(last)} | {(1, 0, m[0]), (last, last - 1, m[-1])}
        plain |= {(2 * i + 1, 2 * i - 1, m[i]) for i in range(1, len(m) - 1)}
        need(set(self.net.dependences) <= plain, "no plain pipeline", Refused)
        for times in self.net.durations:
            need(all(-(-time * self.unit // 1) < 2**59 for time in times), "a time is too long", Refused)
        need(all(self.upper * length * self.unit // 1 < 2**59 for length in m), "a time is too long", Refused)

    def look_at(self, t):
        sees, keeps, pairs = self.transfers[t]
        for parts in sees + keeps:
            need(all(part < len(self.lengths) for part in parts), "no such part", Refused)
            need(sorted(set(parts)) == parts, "parts not ascending", Refused)
        need(all({t, t + 1} <= set(parts) for parts in sees), "a pair that is not seen", Refused)
        need(len(pairs) == self.lengths[t] * self.lengths[t + 1], "not each pair once", Refused)
        for known in self.known(self.nothing(), [t, t + 1]):
            seen, kept, numbers = self.pair(t, known)
            need(seen < len(sees) and kept < len(keeps), "no such set", Refused)
            classes = 1
            for part in sees[seen]:
                classes *= 1 if part in (t, t + 1) else self.lengths[part]
            need(len(numbers) == classes, "not a number for each class", Refused)

    def nothing(self):
        return (-1,) * len(self.lengths)

    def pair(self, t, known):
        return self.transfers[t][2][known[t] * self.lengths[t + 1] + known[t + 1]]

    def known(self, residues, parts):
        """All ways to know these parts as well."""
        for part in parts:
            if residues[part] >= 0:
                continue
            for r in range(self.lengths[part]):
                if all(other < 0 or (r - other) % gcd(self.lengths[part], self.lengths[k]) == 0
                       for k, other in enumerate(residues)):
                    yield from self.known(residues[:part] + (r,) + residues[part + 1:], parts)
            return
        yield residues

    def number(self, t, residues):
        seen, _, numbers = self.pair(t, residues)
        index = 0
        for part in self.transfers[t][0][seen]:
            if part not in (t, t + 1):
                index = index * self.lengths[part] + residues[part]
        return numbers[index]

    def classes(self, t, residues):
        for pair in self.known(residues, [t, t + 1]):
            yield from self.known(pair, self.transfers[t][0][self.pair(t, pair)[0]])

    def time(self, c, j):
        return -(-self.net.durations[c][j % self.net.period[c]] * self.unit // 1)

    def transfer_time(self, t, residues):
        m, other = self.lengths[t], self.lengths[t + 1]
        return self.time(2 * t + 1, next(j for j in range(residues[t], m * other, m) if j % other == residues[t + 1]))

    def arcs(self, t, residues):
        """The transfer that waits, how many data sets later, and how long."""
        duration = self.transfer_time(t, residues)
        last = len(self.lengths) - 2
        for forwards in (True, False):
            part = t + 1 if forwards else t
            wait = duration
            if forwards or t == 0:
                wait += self.time(2 * part, residues[part])
            if forwards and t < last:
                yield t + 1, 0, wait
            else:
                target = t if forwards else max(t - 1, 0)
                yield target, self.lengths[part], wait - self.upper * self.lengths[part] * self.unit // 1

    def follow(self, t, residues, value):
        for target, height, wait in self.arcs(t, residues):
            moved = tuple(-1 if r < 0 else (r + height) % m for r, m in zip(residues, self.lengths))
            for reached in self.classes(target, moved):
                rise = value + wait - self.number(target, reached)
                if rise > 0:
                    self.add(target, reached, rise)

    def add(self, t, residues, rise):
        need(rise <= self.highest, "an exception rises above the highest", Refused)
        sees, keeps, _ = self.transfers[t]
        seen, kept, _ = self.pair(t, residues)
        parts = set(sees[seen]) | set(keeps[kept])
        item = t, tuple(r if part in parts else -1 for part, r in enumerate(residues))
        if self.rises.get(item, 0) < rise:
            self.rises[item] = rise
            heapq.heappush(self.waiting, (-rise, item))

    def close(self):
        for t in range(len(self.transfers)):
            for residues in self.classes(t, self.nothing()):
                self.follow(t, residues, self.number(t, residues))
        while self.waiting:
            rise, (t, residues) = heapq.heappop(self.waiting)
            if self.rises[t, residues] == -rise:
                self.follow(t, residues, self.number(t, residues) - rise)


def check_rates(net):
    """Of stages that take or make several files: docs/model.md, "Rates"."""
    if all(number(stage.get(key, "1")) == 1 for stage in net.stages for key in ("consumes", "produces")):
        return
    need(all(len(sequence) == 1 for _, sequence in net.parts), "rates only: a part has several turns", Refused)
    need(all(c == to or ((c, to) in net.flow and height == 0) for c, to, height in net.dependences),
         "rates only: columns wait for each other", Refused)


def check(instance, certificate):
    net = Net(instance, certificate)
    check_rates(net)
    lower, upper = certificate["lower"], certificate["upper"]
    need(lower <= upper, "the bounds are the wrong way round", Refused)
    if "resource" in certificate:
        need(certificate["resource"] in net.resources, "no such resource", Refused)
        need(net.cycle_time(certificate["resource"]) >= lower, "the cycle time is less", Refused)
    else:
        check_circuit(net, certificate["circuit"], certificate["data_set"], lower)
    if "schedule" in certificate:
        check_schedule(net, certificate["schedule"], upper)
    elif "floor" in certificate:
        Floor(net, certificate["floor"], upper).close()
    elif "clocks" in certificate:
        check_clocks(net, certificate["clocks"], upper)
    else:
        check_columns(net, certificate["columns"], upper)
    if certificate["expected"] is not None:
        check_expected(net, certificate, "data sets" in instance["application"])


def is_nbue(value):
    """Whether a number that varies is new better than used in expectation."""
    if not isinstance(value, dict):
        return True
    if "samples" in value:
        samples = [quantity(sample) for sample in value["samples"]]
        mean = sum(samples) / len(samples)
        rests = [[sample - t for sample in samples if sample > t] for t in [0, *samples]]
        return all(sum(rest) <= mean * len(rest) for rest in rests)
    return value["law"] not in ("lognormal", "pareto") and (value["law"] != "gamma" or number(value["cv"]) <= 1)


def check_expected(net, certificate, differ):
    """Of times that vary: docs/vary.md, "What is proved". `differ`: whether data sets have a factor."""
    need(all(gain == 1 for gain in net.gains), "no theorem of firings", Refused)
    need(certificate["model"] == "overlap" and certificate["window"] is None and not certificate["buffers"]
         and not any(net.shift) and all(size == 1 for part in net.batches for _, size in part), "no theorem", Refused)
    for c, to, height in net.dependences:
        need(c == to or ((c, to) in net.flow and height == 0), "columns wait for each other", Refused)
    bounds = [certificate["upper"]]
    for c in range(len(net.columns)):
        turns = {}
        for j in range(net.rows):
            for (_, port), _, before in net.waits.get((c, j), []):
                turns.setdefault(port, set()).add(j - before)
        need("segment" not in turns or len(turns) == 1, "a segment beside ports", Refused)
        if not {"in", "out"} <= turns.keys():
            continue
        need(len(turns["in"]) == len(turns["out"]) == 1, "no plain turns", Refused)
        (u,), (v,) = turns["out"], turns["in"]
        if u % v == 0 or v % u == 0:
            continue
        pieces = [(value, grows) for j in range(net.rows) for value, grows in net.varied_on(c, j) if quantity(value)]
        need(all(is_nbue(value) for value, _ in pieces), "a law that is not N.B.U.E.", Refused)
        need(not differ or not any(grows for _, grows in pieces), "data sets differ", Refused)
        bounds.append(max(net.durations[c]) * (u + v - gcd(u, v)) / (u * v))
    need(certificate["expected"] >= max(bounds), "more may be expected", Refused)


def verdict_of(instance_path, certificate_path):
    try:
        certificate = read_certificate(certificate_path)
        check(parse(instance_path), certificate)
        return "proved", ""
    except Unreadable as error:
        return "unreadable", str(error)
    except Refused as error:
        return "refused", str(error)


def main(arguments):
    if not arguments or len(arguments) % 2 != 0:
        sys.exit(__doc__)
    for instance, certificate in zip(arguments[::2], arguments[1::2]):
        print(*filter(None, verdict_of(instance, certificate)), sep=": ")


if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
if __name__ == "__main__":
    main(sys.argv[1:])

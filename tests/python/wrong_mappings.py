"""Random wrong mappings, each refused with the number of its part. Alone, for sanitizers: [COUNT [SEED]]."""
import collections
import decimal
import fractions
import json
import random
import re
import sys

import numpy

from takt import _core


def problem_text(seed, stages=6, processors=9):
    """A problem of random works, sizes and speeds, half of whose stages are not replicable."""
    arguments = [
        "generate", "skeleton-pair", f"--seed={seed}", f"--stages={stages}", f"--processors={processors}",
        "--works=1..50", "--sizes=1..50", "--speeds=1..20", "--bandwidth=3..30", "--replicable=half", "--ends=both",
    ]
    fields = json.loads(_core.run(arguments, b"")[1])
    for key in ("mapping", "predicted_period", "heuristic"):
        fields.pop(key, None)
    return json.dumps(fields)


def right_mapping(draw, replicable, processors):
    """Parts of random lengths on random processors, several of them where all stages of the part are replicable."""
    parts = []
    stage = 0
    while stage < len(replicable):
        count = draw.randint(1, len(replicable) - stage)
        width = draw.randint(1, 4) if all(replicable[stage:stage + count]) else 1
        parts.append((count, [draw.randrange(processors) for _ in range(width)]))
        stage += count
    return parts


class Unwilling:
    """Stands for a number, but says it is none when asked."""

    def __index__(self):
        raise TypeError("no")


class Shrinking:
    """A processor that takes the list away in which it stands."""

    def __init__(self, items):
        self.items = items

    def __index__(self):
        self.items.clear()
        return 10**6


NUMBERS = [
    None, True, False, 1.0, float("nan"), b"P0", [], (), {}, object(), 1j, decimal.Decimal(1), fractions.Fraction(1),
    numpy.float64(1), numpy.bool_(True), numpy.array([1, 2]), int, len, Unwilling(), 2**31, 2**62, 2**63, 2**64, 2**70,
    -1, -(2**31), -(2**63), -(2**64), 10**5000, numpy.int64(-1), numpy.uint64(2**64 - 1), numpy.int8(-128),
]
NAMES = ["", "P99", "p0", "P0 ", "\ud800", "\x1b[31m", "0", "x" * 100000, numpy.str_("Q")]
PARTS = [
    None, 5, 1.5, True, "ab", "P", b"ab", (), [], (1,), (1, [0], 2), {}, {1: 2}, {"stages": ["S0"]},
    {"processors": ["P0"]}, {"stages": [], "processors": [0]}, {"stages": None, "processors": [0]},
    {"stages": "S0", "processors": [0]}, {"stages": ["\udcff"], "processors": [0]}, {"stages": [0], "processors": [0]},
    {"stages": ["S0"] * 1000, "processors": [0]}, {1, 2}, object(), numpy.array(3), numpy.float64(2),
    collections.deque(),
]
SEQUENCES = [None, 5, 1.5, True, "P0", b"P0", {}, {0: 1}, {0, 1}, object(), [], (), numpy.array(3), range(0), [[0]]]
MAPPINGS = [None, 5, True, "", "text", b"ab", {}, {"mapping": []}, {1}, object(), [], (), numpy.array(1.0)]


def wrong_number(draw, parts, at):
    count, processors = parts[at]
    processors[draw.randrange(len(processors))] = draw.choice(NUMBERS)


def wrong_name(draw, parts, at):
    count, processors = parts[at]
    processors[draw.randrange(len(processors))] = draw.choice(NAMES)


def wrong_count(draw, parts, at):
    others = [number for number in NUMBERS + NAMES if not isinstance(number, (int, numpy.integer)) or number is True]
    others += [0, -1, 2**31, 2**63, 2**70, -(2**70), parts[at][0] + 6, numpy.int32(0)]
    parts[at] = (draw.choice(others), parts[at][1])


def wrong_part(draw, parts, at):
    parts[at] = draw.choice(PARTS + [(item for item in parts[at])])


def wrong_sequence(draw, parts, at):
    parts[at] = (parts[at][0], draw.choice(SEQUENCES + [(item for item in [0])]))


def missing_part(draw, parts, at):
    del parts[-1]


def further_part(draw, parts, at):
    parts.insert(at, (6, [0]))


def shrinking_list(draw, parts, at):
    processors = parts[at][1]
    processors += [0] * draw.randint(0, 100)
    processors[draw.randrange(len(processors))] = Shrinking(draw.choice([processors, parts]))


WAYS = [
    wrong_number, wrong_number, wrong_name, wrong_count, wrong_part, wrong_sequence, missing_part, further_part,
    shrinking_list,
]


def wrong_mapping(draw, evaluator, replicable):
    """A mapping, and whether its message must name a part."""
    if draw.random() < 0.05:
        return draw.choice(MAPPINGS + [iter([(6, [0])])]), False
    parts = right_mapping(draw, replicable, len(evaluator.processors))
    if draw.random() < 0.1 and not all(replicable):
        return [(6, [0, draw.randrange(1, len(evaluator.processors))])], True
    draw.choice(WAYS)(draw, parts, draw.randrange(len(parts)))
    form = draw.choice([list, tuple, collections.deque])
    return form(parts), bool(parts)


def refused(evaluator, mapping, names_part, in_batch):
    """What the evaluator says of the mapping; fails where that is not what it should say."""
    before = [[(len(evaluator.stages), [0])]]
    try:
        answer = evaluator.periods([*before * 3, mapping, *before]) if in_batch else evaluator.period(mapping)
    except (TypeError, ValueError) as error:
        text = str(error)
        wanted = ("mapping 3: " if in_batch else "") + (r"part \d+: found " if names_part else "(part 0: )?found ")
        assert re.match(wanted, text), text
        assert len(text) < 400 and text.isprintable(), text
        return text
    raise AssertionError(f"{mapping!r} has the period {answer}")


def refuse_many(count, seed):
    """Asks an evaluator of each model in turn."""
    draw = random.Random(seed)
    text = problem_text(seed)
    replicable = [stage.get("replicable", True) for stage in json.loads(text)["application"]["stages"]]
    document = _core.Document(text.encode(), "document")
    evaluators = [_core.Evaluator(document, model) for model in ("overlap", "strict", "bounded")]
    right = [(1, [0])] * 6
    periods = [evaluator.period(right) for evaluator in evaluators]
    texts = collections.Counter()
    for i in range(count):
        evaluator = evaluators[i % 3]
        mapping, names_part = wrong_mapping(draw, evaluator, replicable)
        said = refused(evaluator, mapping, names_part, in_batch=i % 5 == 0)
        texts[re.sub(r"\d+", "#", said)[:60]] += 1
        assert evaluator.period(right) == periods[i % 3]
    return texts


if __name__ == "__main__":
    found = refuse_many(int(sys.argv[1]) if len(sys.argv) > 1 else 10000, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for text, times in sorted(found.items()):
        print(times, ascii(text))
    print("all refused")

"""Cycle ratios of graphs from Python are those of the program, and of all cycles one by one."""
import itertools
import random
from decimal import Decimal
from fractions import Fraction

import numpy
import pytest

import takt
from conftest import program


def simple_cycles(arcs, vertices):
    """The arcs of every cycle that meets no vertex twice."""
    for start in range(vertices):
        stack = [[arc] for arc in range(len(arcs)) if arcs[arc][0] == start]
        while stack:
            path = stack.pop()
            end = arcs[path[-1]][1]
            if end == start:
                yield path
                continue
            met = {arcs[arc][0] for arc in path}
            if end > start and end not in met:
                stack += [path + [arc] for arc in range(len(arcs)) if arcs[arc][0] == end]


def ratio_of(arcs, cycle):
    return Fraction(sum(arcs[arc][2] for arc in cycle), sum(arcs[arc][3] for arc in cycle))


@pytest.mark.parametrize("seed", range(60))
def test_ratios_are_those_of_all_cycles(seed):
    draw = random.Random(seed)
    vertices = draw.randint(1, 5)
    arcs = [
        (draw.randrange(vertices), draw.randrange(vertices), Fraction(draw.randint(-20, 20), draw.randint(1, 6)),
         draw.choice([0, 1, 1, 2, 3]))
        for _ in range(draw.randint(0, 9))
    ]
    cycles = list(simple_cycles(arcs, vertices))
    lists = [list(column) for column in zip(*arcs)] or [[], [], [], []]
    for minimum, best in ((False, max), (True, min)):
        if any(all(arcs[arc][3] == 0 for arc in cycle) for cycle in cycles):
            with pytest.raises(takt.Deadlock) as found:
                takt.cycle_ratio(*lists, minimum=minimum)
            assert sum(arcs[arc][3] for arc in found.value.arcs) == 0
            cycle = found.value.arcs
        elif not cycles:
            with pytest.raises(takt.NoCycle):
                takt.cycle_ratio(*lists, minimum=minimum)
            continue
        else:
            ratio, cycle = takt.cycle_ratio(*lists, minimum=minimum)
            assert type(ratio) is Fraction
            assert ratio == best(ratio_of(arcs, one) for one in cycles) == ratio_of(arcs, cycle)
        assert all(arcs[a][1] == arcs[b][0] for a, b in itertools.pairwise([*cycle, cycle[0]]))


def test_the_program_has_the_same_ratio():
    text = "a b 3 0\nb c 7/2 0\nc a 1 2\n"
    status, out, _ = program("cycle-ratio", "-", text=text)
    assert status == 0 and "3.75" in out
    assert takt.cycle_ratio([0, 1, 2], [1, 2, 0], [3, "7/2", 1.0], [0, 0, 2]) == (Fraction(15, 4), [0, 1, 2])


def test_numbers_come_in_many_forms():
    expected = (Fraction(3, 10), [0])
    for weight in (0.3, "0.3", "3/10", Decimal("0.3"), Fraction(3, 10), numpy.float64(0.3), numpy.float32(0.3)):
        assert takt.cycle_ratio([7], [7], [weight]) == expected
    assert takt.cycle_ratio(numpy.array([7]), numpy.array([7]), numpy.array([0.3]), numpy.array([1])) == expected
    tokens = numpy.array([3, 4], dtype=numpy.uint8)
    assert takt.cycle_ratio([-5, 2**62], (2**62, -5), range(2), tokens)[0] == Fraction(1, 7)
    assert takt.cycle_ratio([0], [0], [10**500], [2**62])[0] == Fraction(10**500, 2**62)


@pytest.mark.parametrize("arguments, error, text", [
    (([0], [0, 1], [1]), ValueError, "to: found 2 values, expected one for each of 1 arcs"),
    (([0], [0], []), ValueError, "weight: found 0 values, expected one for each of 1 arcs"),
    (([0], [0], [1], [1, 1]), ValueError, "tokens: found 2 values, expected one for each of 1 arcs"),
    (([0, 0], [0, 0], [1, 1], [0, -1]), ValueError, "arc 1: tokens: found -1, expected at least 0"),
    (([0, 0], [0, 0], [1, "x"]), ValueError, 'arc 1: weight: found the text "x", expected '),
    (([0, 0], [0, 0], [1, float("inf")]), ValueError, 'arc 1: weight: found the text "inf", expected '),
    (([0], [0], [None]), TypeError, "arc 0: weight: found None, expected a number"),
    (([0], [0], [True]), TypeError, "arc 0: weight: found True, expected a number"),
    (([0], [0], "1"), TypeError, 'weight: found the text "1", expected a sequence of numbers'),
    (([0.5], [0], [1]), TypeError, "from_: found values of type float64, expected integers of 64 bits"),
    (([0], ["a"], [1]), TypeError, "to: found values of type <U1, expected integers of 64 bits"),
    (([0], [2**70], [1]), TypeError, "to: found values of type object, expected integers of 64 bits"),
    (([True], [0], [1]), TypeError, "from_: found values of type bool, expected integers of 64 bits"),
    (([[0]], [0], [1]), TypeError, "from_: found a value of type list, expected a sequence of integers"),
])
def test_what_is_no_graph_is_refused(arguments, error, text):
    with pytest.raises(error) as found:
        takt.cycle_ratio(*arguments)
    assert str(found.value).startswith(text)

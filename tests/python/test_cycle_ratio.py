"""Cycle ratios of graphs from Python are those of the program, and of all cycles one by one."""
import itertools
import pickle
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
    assert tuple(takt.cycle_ratio([0, 1, 2], [1, 2, 0], [3, "7/2", 1.0], [0, 0, 2])) == (Fraction(15, 4), [0, 1, 2])


def test_numbers_come_in_many_forms():
    for weight in (0.3, "0.3", "3/10", Decimal("0.3"), Fraction(3, 10), numpy.float64(0.3), numpy.float32(0.3)):
        assert takt.cycle_ratio([7], [7], [weight]).ratio == Fraction(3, 10)
    arrays = numpy.array([7]), numpy.array([7]), numpy.array([0.3]), numpy.array([1])
    assert tuple(takt.cycle_ratio(*arrays)) == (Fraction(3, 10), [0])
    tokens = numpy.array([3, 4], dtype=numpy.uint8)
    assert takt.cycle_ratio([-5, 2**62], (2**62, -5), range(2), tokens).ratio == Fraction(1, 7)
    assert takt.cycle_ratio([0], [0], [10**500], [2**62]).ratio == Fraction(10**500, 2**62)


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
    (([0.5], [0], [1]), TypeError, "from_: found a value of type float in it, expected a sequence of integers or other labels"),
    (([0], 5, [1]), TypeError, "to: found a value of type int, expected a sequence of integers or other labels"),
    (([0], [0]), TypeError, "weight: found None, expected a sequence, one value for each arc"),
    (([True], [0], [1]), TypeError, "from_: found a value of type bool in it, expected a sequence"),
    (([[0]], [0], [1]), TypeError, "from_: found a value of type list in it, expected a sequence"),
])
def test_what_is_no_graph_is_refused(arguments, error, text):
    with pytest.raises(error) as found:
        takt.cycle_ratio(*arguments)
    assert str(found.value).startswith(text)


RING = ("abc", "bca", [3, "7/2", 1], [0, 0, 2])


@pytest.mark.parametrize("seed", range(20))
def test_solvers_agree_and_potentials_prove_it(seed):
    draw = random.Random(seed)
    arcs = [(draw.randrange(6), draw.randrange(6), Fraction(draw.randint(-9, 9), 2), draw.randint(1, 3)) for _ in range(14)]
    columns = list(zip(*arcs))
    for minimum in (False, True):
        try:
            found = [takt.cycle_ratio(*columns, minimum=minimum, solver=name) for name in ("howard", "karp", "burns")]
        except takt.NoCycle:
            continue
        assert len({one.ratio for one in found}) == 1 and [one.solver for one in found] == ["howard", "karp", "burns"]
        sign = -1 if minimum else 1
        for one in found:
            potentials = one.potentials
            assert set(potentials) == {end for arc in arcs for end in arc[:2]} == set(one.vertices)
            for tail, head, weight, tokens in arcs:
                assert sign * (potentials[head] - potentials[tail] - weight + one.ratio * tokens) >= 0
            assert takt.check(one.graph, one.certificate) is None
            steps = one.cycle
            assert [step.arc for step in steps] == one.arcs
            assert sum(step.weight for step in steps) / sum(step.tokens for step in steps) == one.ratio
            assert all((step.from_, step.to) == arcs[step.arc][:2] for step in steps)


def test_vertices_have_any_label():
    found = takt.cycle_ratio(*RING)
    assert found.ratio == Fraction(15, 4) and found.vertices == ["a", "b", "c"]
    assert [(step.from_, step.to) for step in found.cycle] == [("a", "b"), ("b", "c"), ("c", "a")]
    assert found == pickle.loads(pickle.dumps(found)) == takt.cycle_ratio([0, 1, 2], [1, 2, 0], *RING[2:])
    assert pickle.loads(pickle.dumps(found)).potentials == found.potentials
    assert repr(found) == "<takt.CycleRatio largest ratio 15/4, of a cycle of 3 arcs>"
    mixed = takt.cycle_ratio([("a", 1), 1, "1"], [1, "1", ("a", 1)], [1, 2, 3])
    assert mixed.ratio == 2 and mixed.vertices == [("a", 1), 1, "1"]
    # Two labels of one text: vertices have numbers in the certificate.
    assert takt.check(mixed.graph, mixed.certificate) is None
    assert {end for arc in mixed.graph["arcs"] for end in (arc["from"], arc["to"])} == {"0", "1", "2"}
    assert takt.cycle_ratio([2**70], [2**70], [5]).vertices == [2**70]


def test_a_forged_certificate_of_a_ratio_is_refused():
    found = takt.cycle_ratio(*RING)
    forged = dict(found.certificate, ratio="4")
    assert "4" in takt.check(found.graph, forged)
    assert takt.check(takt.cycle_ratio("abc", "bca", [3, 4, 1], [0, 0, 2]).graph, found.certificate)


def test_limits_of_solvers_are_said():
    with pytest.raises(takt.LimitReached, match="solver=.howard"):
        takt.cycle_ratio([0, 1], [1, 0], [1, 1], [10**9, 10**9], solver="karp")
    draw = random.Random(1)
    columns = [[draw.randrange(3000) for _ in range(2000)] for _ in range(2)]
    with pytest.raises(takt.LimitReached, match="time limit"):
        takt.cycle_ratio(*columns, [draw.randrange(10**6) for _ in columns[0]], solver="burns", time_limit=1e-9)
    with pytest.raises(takt.UsageError, match="^solver: found .*, expected howard, karp or burns"):
        takt.cycle_ratio([0], [0], [1], solver="simplex")


def test_graphs_of_networkx():
    networkx = pytest.importorskip("networkx", reason="no NetworkX (Debian's python3-networkx): its graphs are not tested")
    graph = networkx.DiGraph()
    for tail, head, weight, tokens in zip(*RING):
        graph.add_edge(tail, head, weight=weight, tokens=tokens, price=weight)
    found = takt.cycle_ratio(graph)
    assert found.ratio == Fraction(15, 4) and set(found.vertices) == set("abc")
    assert takt.cycle_ratio(graph, weight="price").ratio == Fraction(15, 4)
    assert takt.cycle_ratio(graph, tokens="laps").ratio == Fraction(15, 2) / 3
    several = networkx.MultiDiGraph([(0, 0, {"weight": 1}), (0, 0, {"weight": 5, "tokens": 2})])
    assert takt.cycle_ratio(several).ratio == Fraction(5, 2) and takt.cycle_ratio(several, minimum=True).arcs == [0]
    with pytest.raises(TypeError, match="undirected"):
        takt.cycle_ratio(networkx.Graph([(0, 1, {"weight": 1})]))
    with pytest.raises(ValueError, match="edge 0 -> 1: found no 'weight'"):
        takt.cycle_ratio(networkx.DiGraph([(0, 1)]))
    with pytest.raises(TypeError, match="^to: "):
        takt.cycle_ratio(graph, [1])


def test_sparse_arrays_of_scipy():
    sparse = pytest.importorskip("scipy.sparse", reason="no SciPy (Debian's python3-scipy): its arrays are not tested")
    weights = sparse.coo_array(([3, 3.5, 1], ([0, 1, 2], [1, 2, 0])), shape=(3, 3))
    tokens = sparse.coo_array(([2], ([2], [0])), shape=(3, 3))
    for form in ("coo", "csr", "csc"):
        found = takt.cycle_ratio(weights.asformat(form), tokens=tokens.asformat(form))
        assert found.ratio == Fraction(15, 4) and found.vertices == [0, 1, 2]
    assert takt.cycle_ratio(weights).ratio == Fraction(15, 2) / 3
    with pytest.raises(ValueError, match="expected a square one"):
        takt.cycle_ratio(sparse.coo_array((2, 3)))
    with pytest.raises(ValueError, match="tokens: expected a sparse array of shape"):
        takt.cycle_ratio(weights, tokens=[1, 1, 1])
    with pytest.raises(takt.NoCycle):
        takt.cycle_ratio(sparse.coo_array((3, 3)))

# %% [markdown]
# Which link limits the pipeline, and how much is a faster one worth?
#
# A notebook as a script: cells begin with "# %%", as Jupyter (by jupytext) and editors read them.

# %%
from fractions import Fraction

import takt

instance = takt.load("examples/example-a.json")
before = takt.evaluate(instance, model="strict")
before

# %% The net, its critical circuit marked
before.net

# %% What would help most?
worth = takt.sensitivity(instance, model="strict")
best = worth.parameters[0]
print(f"{best.name}: {best.value} now")

# %% The period while that link becomes faster
for percent in (0, 5, 10, 20, 40):
    faster = takt.changed(instance, {best.pointer: best.value * Fraction(100, 100 + percent)})
    period = takt.evaluate(faster, model="strict").period
    print(f"{percent:3} % faster: {str(period):>10} (about {float(period):.2f})")

# %% One lap of the circuit that limits it now
takt.gantt(faster, model="strict")

# %% From the first data set on: how long until the rate is steady?
firings = takt.simulate(instance, model="strict", data_sets=600)
ends = firings.end[firings.column == firings.column.max()]
for j in (6, 60, 600):
    print(f"{j:4} data sets: one in {ends[:j].max() / j:.1f} time units")
print(f"in the long run: one in {float(before.period):.1f}")

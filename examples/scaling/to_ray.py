"""Metrics to pools of actors: python3 examples/scaling/to_ray.py examples/scaling/metrics.json

What it prints are arguments of Ray Data: `dataset.map_batches(DecodeDetect, **pools["decode-detect"])` has a pool of
that many actors, each on a node that was started with `--resources '{"small": 1}'`, one for each core.
"""
import json
import sys

from counts import name_of, planned

metrics, parts = planned(sys.argv[1])
pools = {}
for part in parts:
    pools[name_of(part)] = {"concurrency": part["workers"], "resources": {part["type"]: 1}}
json.dump(pools, sys.stdout, indent=2)
print()

"""Metrics to a job's resource requirements: python3 examples/scaling/to_flink.py examples/scaling/metrics.json

What it prints is the body of PUT /jobs/<job>/resource-requirements for Flink's adaptive scheduler. "flink" in the
metrics has the vertex of each stage, as /jobs/<job> lists them. A part's stages share slots, so that they have one
parallelism: as many as its machines have cores.
"""
import json
import sys

from counts import planned

metrics, parts = planned(sys.argv[1])
requirements = {}
for part in parts:
    for stage in part["stages"]:
        requirements[metrics["flink"][stage]] = {"parallelism": {"lowerBound": 1, "upperBound": part["workers"]}}
json.dump(requirements, sys.stdout, indent=2)
print()

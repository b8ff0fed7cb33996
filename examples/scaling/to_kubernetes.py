"""Metrics to commands for Kubernetes: python3 examples/scaling/to_kubernetes.py examples/scaling/metrics.json

A deployment for each part and type, such as decode-detect-small, whose node selector names the type. Those that the
plan does not use are scaled to nothing.
"""
import itertools
import json
import subprocess
import sys

from counts import name_of, planned


def deployments():
    """All that the cluster has, by kubectl; none where it is asked with --dry-run."""
    if "--dry-run" in sys.argv:
        return []
    listed = subprocess.run(["kubectl", "get", "deployments", "-o", "json"], stdout=subprocess.PIPE, check=True)
    return [item["metadata"]["name"] for item in json.loads(listed.stdout)["items"]]


metrics, parts = planned(sys.argv[1])
wanted = {f"{name_of(part)}-{part['type']}": part["machine_count"] for part in parts}
stages = list(itertools.chain.from_iterable(part["stages"] for part in parts))
ours = [name for name in deployments() if name.split("-")[0] in stages]
for name in sorted({*wanted, *ours}, key=lambda name: (name not in wanted, name)):
    print(f"kubectl scale deployment {name} --replicas={wanted.get(name, 0)}")

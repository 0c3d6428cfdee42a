"""The same schedule on a Ray cluster of two nodes, one of which is killed meanwhile: nothing lost, nothing doubled, the same bytes.

Needs the extra `[ray]`; starting the cluster takes half a minute. Runs in a process of its own, as Ray leaves threads behind.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from runs import bytes_of, schedule_of, write

import worldwright

ON_A_CLUSTER = """
import os, sys
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
from pathlib import Path
import ray
from ray.cluster_utils import Cluster
from runs import schedule_of
from worldwright.pack import read_pack
from worldwright.rollout.ray import on_ray
from worldwright.rollout.run import RunWriter

pack, path, solvers, kill = read_pack(sys.argv[1]), Path(sys.argv[2]), sys.argv[4:], int(sys.argv[3])
schedule = schedule_of(pack, *solvers, seeds=12, k=4)
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
second = cluster.add_node(num_cpus=1)
ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
assert sum(node["Alive"] for node in ray.nodes()) == 2
with RunWriter(path, schedule) as run:
    for piece in on_ray(schedule, (pack,), path.name):
        run.add(piece)
        if run.chunk == kill:
            cluster.remove_node(second, allow_graceful=False)
print("chunks", run.chunk)
ray.shutdown()
cluster.shutdown()
"""


@pytest.mark.slow
@pytest.mark.parametrize("kill", [0, 3])
def test_a_cluster_makes_the_same_run(loan_desk, loan_desk_pack, tmp_path, kill):
    pytest.importorskip("ray", reason="needs the extra [ray]")
    schedule = schedule_of(loan_desk_pack, "reference", "random", "python:runs:Slow", seeds=12, k=4)
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    write(here, schedule, loan_desk_pack)
    paths = [str(Path(worldwright.__file__).parents[1]), str(Path(__file__).parent)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    arguments = [str(loan_desk), str(there), str(kill), "reference", "random", "python:runs:Slow"]
    done = subprocess.run([sys.executable, "-c", ON_A_CLUSTER, *arguments], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert f"chunks {schedule.chunks}\n" in done.stdout
    assert bytes_of(there) == bytes_of(here)

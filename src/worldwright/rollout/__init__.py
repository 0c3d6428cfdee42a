"""Attempts collected: trajectories with verdicts, and the table over them."""

from worldwright.rollout.collect import Job, collect
from worldwright.rollout.table import Line, tabulate
from worldwright.rollout.trajectory import Trajectory, read_trajectories, write_trajectories

__all__ = ["Job", "Line", "Trajectory", "collect", "read_trajectories", "tabulate", "write_trajectories"]

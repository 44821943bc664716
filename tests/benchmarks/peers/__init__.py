"""Slipway beside other ways to build the same, on the same rows: `python -m tests.benchmarks.peers`."""

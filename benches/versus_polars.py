#!/usr/bin/env python3
"""Times polars on the table that `cargo bench --bench profile_reading -- FILE` leaves at FILE: read, clean, pivot.

Run both on the same machine, one after the other, and divide: `python3 benches/versus_polars.py FILE`.
Needs `pip install polars`.
"""

import statistics
import sys
import time

import polars


def pivoted(path):
    """A row per kernel and launch shape, a column per metric, summed."""
    table = polars.read_csv(
        path,
        columns=["ID", "Kernel Name", "Block Size", "Grid Size", "Metric Name", "Metric Value"],
        infer_schema_length=0,
    )
    value = polars.col("Metric Value").str.replace_all(",", "", literal=True).cast(polars.Float64)
    table = table.with_columns(value)
    return table.pivot(
        on="Metric Name",
        index=["Kernel Name", "Grid Size", "Block Size"],
        values="Metric Value",
        aggregate_function="sum",
    )


def main():
    path = sys.argv[1]
    wall, processor = [], []
    for _ in range(5):
        start, before = time.perf_counter(), time.process_time()
        table = pivoted(path)
        wall.append(time.perf_counter() - start)
        processor.append(time.process_time() - before)
    wall, processor = (statistics.median(times) * 1e3 for times in (wall, processor))
    print(f"polars {polars.__version__}      {wall:>8.1f} ms, {processor:>8.1f} ms on processors; {table.height} kernels")


if __name__ == "__main__":
    main()

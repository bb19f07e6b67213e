#!/usr/bin/env python3
"""Times polars on the table of `cargo bench --bench profile_reading`: read, clean, pivot.

`versus_polars.py FILE COUNT` does so COUNT times, and prints the seconds of all.
"""

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
    start = time.perf_counter()
    for _ in range(int(sys.argv[2])):
        pivoted(sys.argv[1])
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()

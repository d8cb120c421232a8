# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.database [ROWS ...]``: counting in a database, beside the least there is.

The least is the engine's own ``GROUP BY person``, in the same run. Each figure comes from a process
of its own. Seconds of CPU say more than those of the clock on a machine that others use.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from tests.bench.database.rows import make_duckdb, make_parquet, make_postgres
from tests.bench.database.study import Shape
from tests.bench.size.process import run
from tests.engine.postgres import postgres_server

HEAD = (
    f"{'rows':>12} {'ids':<8} {'k':>3} {'groups':>7} {'tables':>6}  {'least':>15}  {'ours':>15}  "
    f"{'ratio':>11}  {'memory of both':>17}"
)


def parse(arguments: list[str]) -> argparse.Namespace:
    """What is to be measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.database", description=__doc__)
    parser.add_argument("rows", nargs="*", type=int, default=[1_000_000])
    parser.add_argument("--on", choices=("duckdb", "postgres", "spark"), default="duckdb")
    parser.add_argument("--k", nargs="*", type=int, default=[3], help="rows a person")
    parser.add_argument("--groups", nargs="*", type=int, default=[10], help="10 to 100000")
    parser.add_argument("--tables", nargs="*", type=int, default=[1], help="1 or 2")
    parser.add_argument("--ids", nargs="*", choices=("number", "text"), default=["number"])
    parser.add_argument("--keep", type=Path, help="a folder in which databases stay")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Print one line a shape; 1 where a process failed."""
    asked = parse(arguments)
    print(f"{asked.on}, {os.cpu_count()} cores: seconds of the clock / of CPU\n{HEAD}", flush=True)
    with tempfile.TemporaryDirectory() as temporary, _server(asked.on) as variables:
        os.environ.update(variables or {})
        for rows, ids in itertools.product(asked.rows, asked.ids):
            where = _made(asked.on, asked.keep or Path(temporary), rows, ids)
            for k, groups, tables in itertools.product(asked.k, asked.groups, asked.tables):
                print(_line(where, Shape(rows, ids, k, groups, tables)), flush=True)
            if asked.keep is None:
                _remove(where)
    return 0


@contextmanager
def _server(engine: str) -> Iterator[dict[str, str] | None]:
    with postgres_server() if engine == "postgres" else nullcontext() as variables:
        yield variables


def _made(engine: str, folder: Path, rows: int, ids: str) -> str:
    if engine == "postgres":
        make_postgres(rows, ids)
        return engine
    path = folder / f"{rows}-{ids}.{engine}"
    if not path.exists() and engine == "spark":
        path.mkdir()
        make_parquet(path, rows, ids)
    elif not path.exists():
        make_duckdb(path, rows, ids)
    return f"{engine}:{path}"


def _remove(where: str) -> None:
    """Remove what was made in files; a server removes its own."""
    path = Path(where.partition(":")[2])
    if path.is_dir() and where.startswith("spark:"):
        shutil.rmtree(path)
    elif path.is_file():
        path.unlink()


def _line(where: str, shape: Shape) -> str:
    least, ours = (_figures(what, where, shape) for what in ("least", "ours"))
    ratio = [ours[one] / least[one] for one in ("wall", "cpu")]
    memory = [one["peak"] / 1e9 for one in (least, ours)]
    return (
        f"{shape.rows:>12,} {shape.ids:<8} {shape.k:>3} {shape.groups:>7,} {shape.tables:>6}  "
        f"{least['wall']:6.1f} / {least['cpu']:6.1f}  {ours['wall']:6.1f} / {ours['cpu']:6.1f}  "
        f"{ratio[0]:4.1f} / {ratio[1]:4.1f}  {memory[0]:5.2f} / {memory[1]:5.2f} GB"
    )


def _figures(what: str, where: str, shape: Shape) -> dict[str, float]:
    said = json.dumps(vars(shape))
    ended = run([sys.executable, "-m", "tests.bench.database.measure", what, where, said])
    if ended.returncode:
        sys.exit(ended.stderr)
    figures: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

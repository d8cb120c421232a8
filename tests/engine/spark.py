# SPDX-License-Identifier: Apache-2.0
"""Spark for the tests: its packages, which are in an environment of their own, and its sessions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.engine.connect import connected
from tests.bench.size.cases import python_of
from tests.source_files import ROOT

GROUP: Final = "peers-spark"
LOCAL: Final = "--master local[2] --conf spark.sql.shuffle.partitions=2 pyspark-shell"
"""One computer, and as many parts as it has use for."""


def fetch_spark() -> None:
    """Fetch Spark's packages into their environment, where they are not there."""
    subprocess.run([sys.executable, ROOT / "packaging" / "peers.py", GROUP], check=True)


def use_spark(patch: pytest.MonkeyPatch) -> None:
    """Let Spark be imported, and be of one computer; skip where it cannot be."""
    packages, variables = spark_variables()
    patch.setattr(sys, "path", [*sys.path, packages])
    for name, value in variables.items():
        patch.setenv(name, value)


def use_packages(in_java: str) -> None:
    """Let Spark be imported for good, and be of one computer, with these options of Java's."""
    packages, variables = spark_variables()
    sys.path.append(packages)
    os.environ.update(variables | {"JAVA_TOOL_OPTIONS": in_java})


def spark_variables() -> tuple[str, dict[str, str]]:
    """Where Spark's packages are, and what a process finds it by; skip where it cannot be had."""
    if shutil.which("java") is None:
        pytest.skip("Java is not installed, and Spark needs it")
    python = python_of(GROUP)
    found = sorted(Path(python).parent.parent.glob("lib/python*/site-packages"))
    if python == sys.executable or not found:
        pytest.skip("Spark is not installed: python -m tests.acceptance engine")
    variables = {"PYSPARK_SUBMIT_ARGS": LOCAL, "SPARK_LOCAL_IP": "127.0.0.1"}
    # Few rows are counted sooner than Java has made its code fast.
    return str(found[0]), {**variables, "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1"}


@contextmanager
def in_spark(tables: Mapping[str, pa.Table], ansi: bool = True) -> Iterator[Any]:
    """Tables as Parquet files in a session of Spark.

    Args:
        ansi: whether Spark stops at what it cannot cast, as by default, or makes nothing of it.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, table in tables.items():
            pq.write_table(table, Path(folder, f"{name}.parquet"))
        with connected(f"spark:{folder}") as backend:
            backend._session.conf.set("spark.sql.ansi.enabled", str(ansi).lower())
            yield backend

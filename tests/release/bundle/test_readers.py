# SPDX-License-Identifier: Apache-2.0
"""The readers that a bundle's README shows load every table with its margins, as they stand there.

Base R and Python's standard library are all that they need.
"""

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from tests.release.bundles import KEY
from tests.release.liar import ZCDP, honest

MOST_LINES = 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in unpack(honest(ZCDP)).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return tmp_path


def shown(folder: Path, first: str, last: str) -> str:
    """A reader as the README shows it."""
    text = (folder / "README.txt").read_text("utf-8")
    found = re.search(
        rf"^    {re.escape(first)}.*?^    {re.escape(last)}[^\n]*\n", text, re.M | re.S
    )
    assert found is not None
    code = dedent(found[0])
    assert len([line for line in code.splitlines() if line.strip()]) <= MOST_LINES
    return code


def tables(folder: Path) -> dict[str, list[dict[str, str]]]:
    """Each table's rows as texts."""
    return {
        path.stem: list(csv.DictReader(path.read_text("utf-8").splitlines()))
        for path in sorted((folder / "results").iterdir())
    }


def ran(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_to_do_is_first_and_commands_are_last(folder: Path) -> None:
    text = (folder / "README.txt").read_text("utf-8")
    heads = ("What this is", "Check that", "How to read", "Files", "For articles", "Read a table")
    heads += ("Which file", "Check without dpdesk")
    places = [text.index(f"\n{head}") for head in heads]
    assert places == sorted(places)
    about = text[places[0] : places[1]].splitlines()
    for who in (f"Signed by   {KEY.info.identity}", f"            key {KEY.info.fingerprint}"):
        assert who in about
    assert "ssh-keygen" not in text[: places[-1]]


def test_python_loads_every_table(folder: Path) -> None:
    code = shown(folder, "import csv, json", "    print(row)")
    code += "\nprint(json.dumps({name: load(name) for name in NAMES}))\n"
    wanted = tables(folder)
    printed = ran(folder, sys.executable, "-I", "-c", f"NAMES = {list(wanted)}\n{code}")
    read = json.loads(printed.splitlines()[-1])
    assert read.keys() == wanted.keys()
    for name, rows in read.items():
        for row, cells in zip(rows, wanted[name], strict=True):
            assert row.keys() == cells.keys()
            assert all(is_same(row[key], cells[key]) for key in row), row
            margins = [key for key in row if key.startswith(("half_width", "lowest", "highest"))]
            assert all(isinstance(row[key], float | None) for key in margins)


def is_same(value: object, cell: str) -> bool:
    """Whether what was read is what the file says."""
    if isinstance(value, bool):
        return cell == ("yes" if value else "no")
    if isinstance(value, float):
        return value == float(cell)
    return cell == ("" if value is None else value)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r_loads_every_table(folder: Path) -> None:
    code = shown(folder, "load_table <- function(name) {", "print(load_table(")
    code += """
for (file in sort(list.files("results"))) {
  table <- load_table(sub("[.]csv$", "", file))
  kinds <- vapply(table, function(cells) class(cells)[1], "")
  cat(sub("[.]csv$", "", file), nrow(table), paste(names(table), kinds, sep = ":"), sep = "|")
  cat("\\n", sum(unlist(table[kinds == "numeric"]), na.rm = TRUE), "\\n", sep = "")
}
"""
    (folder / "read.R").write_text(code, encoding="utf-8")
    lines = ran(folder, "Rscript", "--vanilla", "read.R").splitlines()
    heads = {line.split("|")[0]: line.split("|")[1:] for line in lines if "|" in line}
    for name, rows in tables(folder).items():
        count, *columns = heads[name]
        assert int(count) == len(rows)
        kinds = dict(column.rsplit(":", 1) for column in columns)
        assert list(kinds) == list(rows[0])
        margins = [key for key in kinds if key.startswith(("half_width", "lowest", "highest"))]
        assert all(kinds[key] == "numeric" for key in margins if any(row[key] for row in rows))
        assert kinds.get("too_noisy", "logical") == "logical"

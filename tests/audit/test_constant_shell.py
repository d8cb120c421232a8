# SPDX-License-Identifier: Apache-2.0
"""Constant, in the shell: what the commands print and write is the same for any two tables."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from dpdesk import cli
from dpdesk.data.inspection.file_check import check_file
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.storage.connection import BUSY_SECONDS
from dpdesk.release.places.home import Home
from dpdesk.release.run import release_run as run
from dpdesk.release.run import unwritten
from dpdesk.release.signing import keys
from dpdesk.shell import release as shell_release
from dpdesk.shell.check import lines_of
from dpdesk.shell.planning import rehearse as shell_rehearse
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import OfCase, OfPerson
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import Budget, DataSource
from tests.audit.constant import NOON
from tests.audit.pairs import ADD_REMOVE, EPSILON, ODD_ROWS, every_statistic, row
from tests.audit.tables import CANARY, Rows, write_table
from tests.doors import ConstantDoor, one_salt
from tests.turns import in_turn

pytestmark = pytest.mark.audit

ONE = every_statistic(ADD_REMOVE, ("ward",))
OF_PERSON = NumberColumn(
    "labs", Decimal(0), Decimal(9), Decimal(1), made_from=OfPerson("count", table="labs")
)
OF_CASE = replace(OF_PERSON, name="labs of ward", made_from=OfCase("count", table="labs"))
SUM = Query("sum", epsilon=EPSILON).having(statistic="sum")
EVERY = replace(
    ONE,
    unit=replace(ADD_REMOVE, case="ward"),
    tables=(FurtherTable("labs", DataSource("labs.csv"), "pid", "ward"),),
    columns=(*ONE.columns, OF_PERSON, OF_CASE),
    queries=(
        *ONE.queries,
        SUM.having(id="of-people", of="people", column="labs"),
        SUM.having(id="of-cases", column="labs of ward"),
    ),
)
"""Each statistic, and what a further table says of people and of cases."""
COST = Epsilon(sum(query.epsilon.units for query in EVERY.queries if query.epsilon))
STUDY = replace(EVERY, budget=Budget("wards", COST))
PUBLIC = replace(
    STUDY, unit=replace(EVERY.unit, neighbours="change-one", people=9), title="Public number"
)
WRITTEN = ("*.zip", "*.notice", "*.pdf")
BACKUP = "backup.zip"
SMALL = replace(STUDY, queries=STUDY.queries[:1], title="Every year")
MINUTE = re.compile(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(Z| UTC)")
"""When a command ran, in what diagnostics say of the log; nothing else here tells the time."""
COMMANDS = (
    ("plan", "study.dpdesk", "--json"),
    ("release", "--yes", "public.dpdesk", "--out", "refused.zip"),
    ("check", "study.dpdesk"),
    ("check", "study.dpdesk", "--json"),
    ("release", "--yes", "study.dpdesk", "--out", "one.zip"),
    ("release", "--yes", "study.dpdesk", "--out", "refused.zip"),
    ("release", "--yes", "study.dpdesk", "--same-extract", "--out", "two.zip", "--json"),
    ("release", "--yes", "study.dpdesk", "--same-extract", "--fresh", "--out", "three.zip"),
    (
        *("release", "--yes", "study.dpdesk", "--same-extract", "--fresh"),
        *("--out", "refused.zip", "--json"),
    ),
    ("plan", "study.dpdesk", "--json", "--levels"),
    ("account", "show", "wards", "--json"),
    ("ledger", "check", "--json"),
    ("verify", "three.zip", "--json"),
    ("ledger", "withdraw", "2", "--reason", "A ward was left out", "--notice", "2.notice"),
    ("ledger", "correct", "4", "--reason", "A label was wrong", "--notice", "4.notice"),
    ("dossier", "three.zip", "--to", "dossier.zip", "--purpose", "Report", "--language", "de"),
    ("verify", "three.zip", "dossier.zip", "--json"),
    ("compare", "one.zip", "three.zip", "--json"),
    ("verify", "one.zip", "two.zip", "three.zip"),
    ("account", "raise", "wards", "100", "--reason", "Two releases a year"),
    ("ledger", "series", "new", "small.dpdesk", "yearly", "--count", "2", "--every", "year"),
    (
        *("release", "--yes", "small.dpdesk", "--same-extract", "--series", "yearly"),
        *("--out", "instalment.zip"),
    ),
    ("ledger", "series", "list", "--json"),
    ("ledger", "series", "end", "wards", "yearly", "--reason", "No more funds"),
    ("plan", "study.dpdesk", "--pdf", "plan.pdf"),
    ("rehearse", "study.dpdesk", "--to", "made-up.zip"),
    ("ledger", "export", "export.zip"),
    ("ledger", "backup", "backup.zip"),
    ("diagnostics", "--json"),
)
READING = (1, 2, 3, 4, 7, 21)
"""The places of the commands that read the file, and so say what the check finds."""


class Numbers:
    """Names of releases: 1, 2, 3, ..., from the start again for each table."""

    def restart(self) -> None:
        self._last = 0

    def __next__(self) -> str:
        self._last += 1
        return f"{self._last:032x}"


NUMBERS = Numbers()


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A shell in which noise, clock, key and names of releases are always the same."""
    for module in (shell_release, shell_rehearse):
        monkeypatch.setattr(module, "OpenDPDoor", ConstantDoor)
    monkeypatch.setattr(unwritten, "random_id", lambda: next(NUMBERS))
    monkeypatch.setattr(run, "release", partial(run.release, new_id=lambda: next(NUMBERS)))
    monkeypatch.setattr(Ledger.open.__func__, "__defaults__", (lambda: NOON, BUSY_SECONDS))
    (tmp_path / "passphrase").write_text("correct horse battery")
    monkeypatch.setenv("DPDESK_PASSPHRASE_FILE", str(tmp_path / "passphrase"))
    keys.new_key(tmp_path / "keys", "office@hospital.example", "correct horse battery")
    with one_salt():
        yield tmp_path


def printed(
    shell: Path,
    rows: Rows,
    labs: str,
    patch: pytest.MonkeyPatch,
    capture: pytest.CaptureFixture[str],
) -> dict[object, object]:
    """What every command prints, how it ends, and the bundles that it writes."""
    home = Home.at(shell / "home")
    home.make()
    for path in (shell / "keys").iterdir():
        (home.keys / path.name).write_bytes(path.read_bytes())
        os.chmod(home.keys / path.name, 0o600)
    patch.setenv("DPDESK_HOME", str(home.root))
    patch.chdir(shell)
    write_table(shell, rows)
    Path("labs.csv").write_text(f"pid,ward\n{labs}", encoding="utf-8")
    Path("study.dpdesk").write_bytes(study_to_bytes(STUDY))
    Path("small.dpdesk").write_bytes(study_to_bytes(SMALL))
    Path("public.dpdesk").write_bytes(study_to_bytes(PUBLIC))
    Ledger.open(home).new_account("wards", Epsilon(2 * COST.units))
    found: dict[object, object] = {"words": set(lines_of(STUDY, check_file(STUDY, shell)))}
    NUMBERS.restart()
    for command in COMMANDS:
        status = cli.main(command)
        out, err = capture.readouterr()
        found[command] = (status, MINUTE.sub("", out) if command[0] == "diagnostics" else out, err)
    written = [path for kind in WRITTEN for path in Path().glob(kind)]
    left = {path.name: path.read_bytes() for path in written}
    kept = sorted(path.relative_to(home.root).as_posix() for path in home.root.rglob("*"))
    return found | left | {"files at home": kept}


def exempted(found: dict[object, object]) -> dict[object, object]:
    """The same without the words of the check, in ``check`` and before a release.

    How these commands end, and all else that they print, is not exempt.
    Of a backup, which holds the ledger's own secrets and keyed sketches, the names of its files.
    """
    kept = dict(found)
    words = kept.pop("words")
    for command in COMMANDS:
        status, printed, complained = found[command]  # type: ignore[misc]
        lines = [line for line in complained.splitlines() if line not in words]  # type: ignore[operator]
        if command[0] == "check":
            kept[command] = (status, lines)
        if command[0] == "release":
            kept[command] = (status, printed, lines)
    kept[BACKUP] = zipfile.ZipFile(io.BytesIO(found[BACKUP])).namelist()  # type: ignore[arg-type]
    return kept


@pytest.mark.threat("B4", "B5")
@pytest.mark.long
def test_no_command_tells_two_tables_apart(
    shell: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    many = tuple(row(str(i), str(i % 9)) for i in range(500))
    odd = f'7,A\n{CANARY},{CANARY}\n"8,B\n\n,A\n' + "9,A\n" * 20_000
    others = (((), ""), (many, "".join(f"{i},A\n" for i in range(500))))
    for rows, labs in ((ODD_ROWS, odd), *in_turn(others, 2)):
        found.append(printed(shell, rows, labs, monkeypatch, capsys))
        (shell / "home").rename(shell / f"home-{len(found)}")
        for kind in WRITTEN:
            for path in shell.glob(kind):
                path.unlink()
    for other in found[1:]:
        assert exempted(other) == exempted(found[0])
        differ = {command for command in COMMANDS if other[command] != found[0][command]}
        assert differ == {COMMANDS[place] for place in READING}
    assert CANARY not in str(found[0])
    assert [found[0][command][0] for command in COMMANDS] == [
        *(0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
        # The ledger here withdrew the one and corrected the other.
        *(4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ]
    assert {name for name in found[0] if str(name).endswith((".zip", ".pdf"))} == {
        *("one.zip", "two.zip", "three.zip", "dossier.zip", "instalment.zip", "plan.pdf"),
        *("export.zip", BACKUP, "made_up_made-up.zip"),
    }
    dossier = unpack(found[0]["dossier.zip"])["dossier.html"].decode()  # type: ignore[arg-type]
    assert "A ward was left out" in dossier and "A label was wrong" in dossier

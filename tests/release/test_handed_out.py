# SPDX-License-Identifier: Apache-2.0
"""Files that are made to be given away are readable to others, as the umask says; no other is."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dpdesk.data.codebook.write import write_schema
from dpdesk.release.backup.export import write_export
from dpdesk.release.bundle.bundle_file import reserved, write_bundle
from dpdesk.release.dossier.dossier_file import write_dossier
from dpdesk.release.notices.notice_file import write_notice
from dpdesk.release.plan_report.document import write_pages
from dpdesk.release.second_person.handed_over import write_handed
from dpdesk.release.signing.keys import write_new
from dpdesk.study.json.study_files import keep_beside, make_part, save_new, save_study, write_whole
from dpdesk.study.model.document import Study

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such rights")
UMASK, OTHERS, OWN = 0o027, 0o640, 0o600
Write = Callable[[Path], object]


def _reserved(path: Path) -> None:
    with reserved(path, 10) as file:
        file.write(b"bundle")


HANDED_OUT: dict[str, Write] = {
    "bundle": lambda path: write_bundle(path, b"bundle"),
    "bundle of a release": _reserved,
    "plan, signature, second person's proposal": lambda path: write_handed(path, b"plan"),
    "plan's pages": lambda path: write_pages(path, b"%PDF"),
    "notice": lambda path: write_notice(path, b"notice"),
    "dossier": lambda path: write_dossier(path, b"dossier"),
    "declarations": lambda path: write_schema(Study(), path),
}
KEPT: dict[str, Write] = {
    "study": lambda path: save_study(Study(), path),
    "new study": lambda path: save_new(Study(), path),
    "other version of a study": lambda path: keep_beside(path, b"{}").rename(path),
    "whatever is not said to be handed out": lambda path: write_whole(path, b"heads"),
    "key, sealed counts": lambda path: write_new(path, b"secret"),
    "ledger's export": lambda path: write_export(path.with_suffix(".zip"), {"a": b""}),
}


@pytest.fixture(autouse=True)
def _umask() -> Iterator[None]:
    before = os.umask(UMASK)
    yield
    os.umask(before)


@pytest.mark.parametrize("name", [*HANDED_OUT, *KEPT])
def test_each_file_is_for_whom_it_is_made(name: str, tmp_path: Path) -> None:
    (HANDED_OUT | KEPT)[name](tmp_path / "file")
    (made,) = tmp_path.glob("file*")
    assert stat.S_IMODE(made.stat().st_mode) == (OTHERS if name in HANDED_OUT else OWN)


def test_a_file_that_was_closed_to_others_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    path.touch(0o600)
    write_bundle(path, b"second signature")
    assert stat.S_IMODE(path.stat().st_mode) == OWN


def test_an_unfinished_file_never_takes_another_ones_place(tmp_path: Path) -> None:
    found = []
    for _ in range(2):  # a link that somebody put there, too
        handle, part = make_part(tmp_path / "plan.json", handed_out=True)
        os.close(handle)
        found.append(part)
        os.unlink(part)
        os.symlink(tmp_path / "elsewhere", part)
    assert len(set(found)) == 2 and not (tmp_path / "elsewhere").exists()

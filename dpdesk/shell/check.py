# SPDX-License-Identifier: Apache-2.0
"""``dpdesk check``: is the file as its study says? Coarse, and local.

What it prints is for the custodian alone. It opens neither ledger nor key and writes no file; a
release prints the same before it asks whether to go on, and whose people these seem to be.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.data.inspection.file_check import check_file
from dpdesk.data.inspection.finding import Finding, Weight
from dpdesk.data.progress import no_progress
from dpdesk.privacy import compiler
from dpdesk.shell.extract import say_unnamed, with_files
from dpdesk.shell.output import DONE, print_json, say, show_reading
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.document import Study
from dpdesk.texts import findings, shared

_DECLARE: Final[Template] = "In the shell: --separate-from {account} REASON."


@dataclass(frozen=True)
class CheckOptions:
    """What is wanted."""

    study: Path
    data: tuple[str, ...] = ()
    as_json: bool = False


def run(request: CheckOptions) -> int:
    """Print what is said of a study's files, and then what the study lacks.

    What is declared so far is compared with the file, so that a study can be checked while it
    grows; all is well only where it could be planned, too.

    Raises:
        Refused: the study or its file cannot be read, or the header does not fit; once what is
            found is printed, the study is not complete, as for a plan.
    """
    file = load_study(request.study)
    study = with_files(file.study, request.data)
    say_unnamed(file.study, request.data)
    found = look(study, file.folder)
    if request.as_json:
        print_json({"findings": [asdict(finding) for finding in found]})
    else:
        for line in lines_of(study, found):
            print(line)
    compiler.compile(study)
    return DONE


def look(study: Study, folder: Path) -> tuple[Finding, ...]:
    """Check a study's file, and show on a terminal how far.

    Raises:
        Refused: what the data's reading refuses.
    """
    return check_file(study, folder, show_reading if sys.stderr.isatty() else no_progress)


def lines_of(study: Study, found: tuple[Finding, ...]) -> Iterator[str]:
    """What a check says, a line a finding, what is serious first."""
    yield say(shared.COARSE_CHECK)
    for finding in sorted(found, key=lambda finding: -finding.weight):
        yield _line(study, finding)
    if not found:
        yield say("Nothing unusual was found.")


def _line(study: Study, finding: Finding) -> str:
    subject = findings.subject(finding, study)
    helps = findings.remedy(finding) if finding.weight is not Weight.GOOD else ""
    option = say(_DECLARE, account=finding.account) if finding.account else ""
    sentence = " ".join(filter(None, (findings.said(finding, study), helps, option)))
    return f"{subject}: {sentence}" if subject else sentence

# SPDX-License-Identifier: Apache-2.0
"""A study that says its rows are in a database is never released from a file."""

from __future__ import annotations

import pytest

from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.ledger import Ledger
from dpdesk.release.run.release_run import release
from dpdesk.study.json.study_files import load_study
from dpdesk.study.problem import Refused
from tests.shell.hospital import Hospital


def test_its_file_is_not_read_although_it_is_there(hospital: Hospital) -> None:
    in_files = compiler.compile(load_study(hospital.study).study)
    hospital.write_study(lambda study: study["data"].update(in_database=True))
    study, ledger = load_study(hospital.study).study, Ledger.open(hospital.home)
    asked = [one.queries[0].canonical for one in (in_files, compiler.compile(study))]
    assert asked[0] == asked[1], "an answer serves again wherever the rows are"
    with pytest.raises(Refused, match="data-in-database"):
        release(study, hospital.folder, ledger, OpenDPDoor())
    hospital.data.unlink()
    refused = hospital.run("release", hospital.study, "--out", hospital.bundle)
    assert refused.status != 0 and "release its sealed counts" in refused.err
    assert not hospital.bundle.exists()

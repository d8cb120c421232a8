# SPDX-License-Identifier: Apache-2.0
"""The draft for the registry of deployments: valid, complete to the third tier, and plain.

The registry's own schema demands neither tier, so what is complete is checked here.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.metadata.deployment import LEFT_OPEN, deployment_bytes
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.record.values import SignedRelease, SignerName
from dpdesk.release.verify.plain_documents import is_plain_yaml
from tests.release.bundles import bundle, payload
from tests.release.liar import ZCDP, honest, in_epsilon

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "files" / "deployments-schema.json").read_text("ascii")
)
BUNDLES = {"small": bundle, "rho": lambda: honest(ZCDP), "epsilon": lambda: honest(in_epsilon())}


def unfilled(schema: dict[str, Any], entry: dict[str, Any], path: str = "") -> Iterator[str]:
    """Fields of the schema that an entry has not, or that say nothing."""
    for key, member in schema["properties"].items():
        value = entry.get(key)
        if member.get("type") == "object" and isinstance(value, dict):
            yield from unfilled(member, value, f"{path}{key}.")
        elif value is None or value == "" or value == []:
            yield f"{path}{key}"


@pytest.mark.parametrize("name", BUNDLES)
def test_every_field_that_a_release_knows_is_filled_and_the_readme_names_the_others(
    name: str,
) -> None:
    files = unpack(BUNDLES[name]())
    entry = yaml.safe_load(files["deployment.yaml"])
    rho = [] if name == "rho" else ["deployment.privacy_loss.privacy_parameters.rho"]
    left = [f"deployment.basic.{field}" for field in LEFT_OPEN]
    assert sorted(unfilled(SCHEMA, entry)) == sorted((*rho, *left))
    readme = " ".join(files["README.txt"].decode().split())
    assert f"the signer adds {' and '.join(LEFT_OPEN)}" in readme
    # Nothing stands where a text of the curator belongs, and with theirs the entry is valid.
    assert "to be filled in" not in files["deployment.yaml"].decode()
    entry["deployment"]["basic"] |= dict.fromkeys(LEFT_OPEN, "by the curator")
    assert list(Draft202012Validator(SCHEMA).iter_errors(entry)) == []
    assert (entry["tier"], entry["status"]) == (3, "Draft")


def test_the_check_finds_a_field_that_is_missing() -> None:
    entry = yaml.safe_load(unpack(bundle())["deployment.yaml"])
    del entry["deployment"]["accounting"]["composition"]
    assert "deployment.accounting.composition" in set(unfilled(SCHEMA, entry))


def test_amounts_are_those_of_the_claim() -> None:
    files = unpack(honest(ZCDP))
    claim = json.loads(files["manifest.json"])["predicate"]["claim"]
    entry = yaml.safe_load(files["deployment.yaml"])
    parameters = entry["deployment"]["privacy_loss"]["privacy_parameters"]
    assert {key: str(value) for key, value in parameters.items() if key != "delta"} == {
        key: str(yaml.safe_load(claim[key])) for key in ("epsilon", "rho")
    }
    assert parameters["delta"] == float(claim["delta"])


@pytest.mark.threat("G10")
@pytest.mark.parametrize(
    "text", ["a: b", "!!python/object:x", '"', "\\", "x\n- y", "ε 漢字", "\U0001f600", "'", "{a}"]
)
def test_a_title_stays_a_text(text: str) -> None:
    members = payload()
    members["predicate"]["study"]["title"] = text
    record = parse_stored(members).record
    release = SignedRelease(record, "0", SignerName("office", "SHA256:x"))
    content = deployment_bytes(ReleaseText(release))
    assert is_plain_yaml(content)
    name = yaml.safe_load(content)["deployment"]["basic"]["name"]
    assert name == text.replace("\n", " ")


@pytest.mark.parametrize("line", ["a: !!python/object:x {}", "a: &x 1", "a: *x", "a: |", "%YAML 9"])
def test_an_entry_that_makes_objects_is_not_plain(line: str) -> None:
    content = unpack(bundle())["deployment.yaml"]
    assert is_plain_yaml(content)
    assert not is_plain_yaml(content + line.encode() + b"\n")

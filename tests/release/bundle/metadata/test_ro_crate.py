# SPDX-License-Identifier: Apache-2.0
"""The bundle as a crate: RO-Crate 1.1's demands on descriptor, root and files, without a network.

https://www.researchobject.org/ro-crate/specification/1.1/
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.metadata.ro_crate import CONTEXT, CRATE, PROFILE
from tests.release.bundles import bundle
from tests.release.liar import ZCDP, honest

BUNDLES = {"small": bundle, "rho": lambda: honest(ZCDP)}
TYPES = {
    "File": {"name", "encodingFormat"},
    "CreativeWork": set(),
    "Dataset": {"name", "description", "datePublished", "license", "hasPart", "author"},
    "Organization": {"name"},
    "SoftwareApplication": {"name", "version"},
    "CreateAction": {"agent", "instrument", "result", "endTime"},
}
"""The types of the context that are used, with what each entity of theirs has."""


def references(value: Any) -> Iterator[str]:
    """The ids that an entity refers to."""
    if isinstance(value, dict):
        if set(value) == {"@id"}:
            yield value["@id"]
        else:
            yield from (found for member in value.values() for found in references(member))
    elif isinstance(value, list):
        yield from (found for member in value for found in references(member))


@pytest.mark.parametrize("name", BUNDLES)
def test_the_crate_has_what_the_specification_demands(name: str) -> None:
    files = unpack(BUNDLES[name]())
    crate = json.loads(files[CRATE])
    assert set(crate) == {"@context", "@graph"} and crate["@context"] == CONTEXT
    entities = {entity["@id"]: entity for entity in crate["@graph"]}
    assert len(entities) == len(crate["@graph"])
    descriptor, root = entities[CRATE], entities["./"]
    assert descriptor["@type"] == "CreativeWork" and descriptor["about"] == {"@id": "./"}
    assert descriptor["conformsTo"] == {"@id": PROFILE}
    assert root["@type"] == "Dataset" and re.fullmatch(r"\d{4}-\d\d-\d\d", root["datePublished"])
    parts = [part["@id"] for part in root["hasPart"]]
    assert sorted(parts) == sorted(set(files) - {CRATE})
    assert all(entities[part]["@type"] == "File" for part in parts)
    assert set(references(crate["@graph"])) <= {*entities, PROFILE}
    for entity in crate["@graph"]:
        assert TYPES[entity["@type"]] <= entity.keys(), entity["@id"]


def test_the_crate_says_who_released_and_with_what() -> None:
    predicate = json.loads(unpack(bundle())["manifest.json"])["predicate"]
    graph = json.loads(unpack(bundle())[CRATE])["@graph"]
    versions = {entity["name"]: entity.get("version") for entity in graph if "name" in entity}
    assert versions["dpdesk"] == predicate["software"]["dpdesk"]
    assert versions["OpenDP"] == predicate["software"]["opendp"]
    (curator,) = [entity for entity in graph if entity["@type"] == "Organization"]
    assert curator["name"] in (
        predicate["study"].get("organisation"),
        predicate["signer"]["identity"],
    )

# SPDX-License-Identifier: Apache-2.0
"""Manifests that are properly signed by a known key and must all the same be believed by nobody."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.signing.sshsig import sign
from tests.release.bundles import KEY, bundle
from tests.release.documents import flaws, right

Named = tuple[str, bytes]
Members = dict[str, Any]


def bad_manifests() -> Iterator[Named]:
    """Bundles of which only the manifest is bad, each with its name."""
    yield from ((flaw.name, sealed(flaw.document)) for flaw in flaws())
    yield from ((name, sealed(raw)) for name, raw in _texts())
    for name, change in _statements().items():
        statement = json.loads(right())
        change(statement)
        yield name, sealed(json_bytes(statement))


def sealed(manifest: bytes) -> bytes:
    """The good bundle with another manifest, signed."""
    files = unpack(bundle())
    return pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})


def _texts() -> Iterator[Named]:
    """What is not JSON, or not of ASCII, or not an object."""
    good = right()
    yield "nothing at all", b""
    yield "a list", b"[]"
    yield "null", b"null"
    yield "an empty object", b"{}"
    yield "a hundred thousand brackets", b"[" * 100_000
    yield "another encoding", good.decode("ascii").encode("utf-16")
    yield "a comma before the end", good.replace(b"}\n", b",}\n")
    yield "a remark", b"/* reviewed */" + good
    yield "quotes of another kind", good.replace(b'"format"', b"'format'")
    yield "an end of text within", good.replace(b'"format"', b'"for\0mat"')
    yield "a number with a zero before it", good.replace(b'"sequence": ', b'"sequence": 0')
    yield "cut off", good[: len(good) // 2]
    yield "twice", good + good


def _statements() -> dict[str, Callable[[Members], object]]:
    """Sound JSON that is no statement of ours, or lists other files."""

    def predicate(change: Callable[[Members], object]) -> Callable[[Members], object]:
        return lambda statement: change(statement["predicate"])

    return {
        "another type": lambda s: s.update(_type="https://in-toto.io/Statement/v2"),
        "another kind of statement": lambda s: s.update(predicateType="https://slsa.dev/v1"),
        "no files": lambda s: s.pop("subject"),
        "a list of no files": lambda s: s["subject"].clear(),
        "a file twice": lambda s: s["subject"].append(s["subject"][0]),
        "a file that is not there": lambda s: s["subject"][0].update(name="results/none.csv"),
        "a file of another name": lambda s: s["subject"][0].update(name="../../etc/passwd"),
        "a file by a weaker digest": lambda s: s["subject"][0].update(digest={"md5": "0" * 32}),
        "a digest in capitals": lambda s: _capitals(s["subject"][0]["digest"]),
        "the manifest in its own list": lambda s: s["subject"].append(
            {"name": MANIFEST, "digest": {"sha256": "0" * 64}}
        ),
        "files in another order": lambda s: s["subject"].reverse(),
        "an unknown member": lambda s: s.update(note="VERIFIED"),
        "a format of the future": predicate(lambda p: p.update(format=99)),
        "a format that is no number": predicate(lambda p: p.update(format=True)),
        "no signer": predicate(lambda p: p.pop("signer")),
        "another signer's key": predicate(
            lambda p: p["signer"].update(fingerprint="SHA256:" + "A" * 43)
        ),
        "a signer who clears the screen": predicate(
            lambda p: p["signer"].update(identity="\x1b[2JVERIFIED")
        ),
        "no study": predicate(lambda p: p.update(study={})),
        "no claim": predicate(lambda p: p.pop("claim")),
        "a smaller epsilon": predicate(lambda p: p["claim"].update(epsilon="0.1")),
    }


def _capitals(digest: Members) -> None:
    digest["sha256"] = digest["sha256"].upper()

# SPDX-License-Identifier: Apache-2.0
"""The bundle's README.txt: what lies here and how to check it with nothing but OpenSSH."""

from __future__ import annotations

from typing import Any

from dpdesk.release.keys import NAMESPACE

_TEXT = """\
Released statistics with differential privacy
=============================================

results/            one CSV file for each query, with its 95 % margins
datapackage.json    what each column means (Frictionless Data Package)
report.html         the same to read and print
manifest.json       what was asked, how it was protected, what it cost,
                    and the SHA-256 digest of each file above
manifest.json.sig   the signature of manifest.json (OpenSSH, Ed25519)

The noise that protects people is already in every figure. Each figure lies
within its margin of the exact one, computed with the bounds that the study
declares, in at least 95 of 100 releases.

Check it without dpdesk
-----------------------
1. Get the signer's line for an allowed_signers file from the signer, not from
   whoever gave you this bundle, and compare its fingerprint with

       {fingerprint}

   over another way, such as the telephone. Save the line as allowed_signers.

2. Linux, macOS, and the Windows command prompt (cmd.exe):

       {command}

   PowerShell:

       cmd /c "{command}"

   It has to say:

       Good "{namespace}" signature for {identity} with ED25519 key {fingerprint}

3. Compare the digest of each file with the one in manifest.json:

       Linux     sha256sum <file>
       macOS     shasum -a 256 <file>
       Windows   certutil -hashfile <file> SHA256

Check it with dpdesk
--------------------
       dpdesk verify <bundle>.zip

That also recomputes the privacy claim from the noise that manifest.json states.
"""

_COMMAND = (
    "ssh-keygen -Y verify -f allowed_signers -I {identity} -n {namespace} "
    "-s manifest.json.sig < manifest.json"
)


def readme_bytes(signer: dict[str, Any]) -> bytes:
    """The text for one signer; ASCII with line feeds."""
    names = {"identity": signer["identity"], "namespace": NAMESPACE}
    command = _COMMAND.format(**names)
    text = _TEXT.format(**names, command=command, fingerprint=signer["fingerprint"])
    return text.encode("ascii")

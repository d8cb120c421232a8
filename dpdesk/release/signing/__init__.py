# SPDX-License-Identifier: Apache-2.0
"""The signing key, signatures as OpenSSH writes them, and the signers that a recipient knows.

Begin with ``keys.py``.
"""

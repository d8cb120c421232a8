# SPDX-License-Identifier: Apache-2.0
"""Second persons, revoked keys and keys on paper: what is signed or printed besides a release.

Begin with ``sign.py``.
"""

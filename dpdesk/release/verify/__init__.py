# SPDX-License-Identifier: Apache-2.0
"""Somebody else's bundle, checked: is it whole, who signed it, does its claim add up.

Begin with ``verification.py``; ``claim.py`` computes the losses again, ``reproduce.py`` makes
the files again.
"""

# SPDX-License-Identifier: Apache-2.0
"""Exact answers from the encoded table, as integers, sealed for the noise door.

Begin with ``aggregate.py``.
"""

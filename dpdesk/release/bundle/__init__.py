# SPDX-License-Identifier: Apache-2.0
"""The signed zip: its tables, report, description and README, made from the record alone.

Begin with ``signed_bundle.py``.
"""

# SPDX-License-Identifier: Apache-2.0
"""The ledger's file: its tables, opening it safely, and bringing an old one up to date.

Begin with ``connection.py``.
"""

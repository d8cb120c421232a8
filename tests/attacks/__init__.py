# SPDX-License-Identifier: Apache-2.0
"""Bundles of attackers by the thousand, and what ``dpdesk verify`` and ``ssh-keygen`` say of each.

Begin in ``__main__.py``: ``python -m tests.attacks`` prints the table.
"""

# SPDX-License-Identifier: Apache-2.0
"""The ledger's files and locks: what each dialog does, and what it means for the budget.

``ledger_dialog.py`` is what they share; ``ledger_menu.py`` opens them.
"""

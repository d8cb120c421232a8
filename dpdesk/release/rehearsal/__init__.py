# SPDX-License-Identifier: Apache-2.0
"""A whole study on made-up rows, before any budget: tables, plots and report as they will look.

Begin with ``rehearse``. No data file, ledger or key is opened, nothing is spent, and nothing of it
is a release: its values are types of their own that no ledger takes and no key signs, and its
files say in their names and in every table that they are made up.
"""

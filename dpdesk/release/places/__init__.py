# SPDX-License-Identifier: Apache-2.0
"""Folders of this machine that mean something for a ledger: shared by a group, or synchronised.

Begin with ``shared_folder.py``: which folder the custodians of a machine share.
"""

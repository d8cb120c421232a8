# SPDX-License-Identifier: Apache-2.0
"""Withdrawing or correcting a published release: a decision in the ledger, and a signed notice.

Begin with ``notice_file.py``, which says what a notice is; ``revoke.py`` makes the entry,
``standing.py`` holds a notice against a bundle.
"""

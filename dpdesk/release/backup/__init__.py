# SPDX-License-Identifier: Apache-2.0
"""The ledger outside of its home: a backup in one file, its restoration, an auditor's copy.

``archive.py`` writes and reads the file; ``restore.py`` says when it may become a ledger again;
``move.py`` closes a ledger that goes on elsewhere;
``export.py`` writes out the entries, signed.
"""

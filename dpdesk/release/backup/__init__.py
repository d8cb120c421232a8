# SPDX-License-Identifier: Apache-2.0
"""The ledger outside of its home: a backup in one file, and its restoration.

``archive.py`` writes and reads the file; ``restore.py`` says when it may become a ledger again.
"""

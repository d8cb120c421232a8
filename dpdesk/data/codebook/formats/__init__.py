# SPDX-License-Identifier: Apache-2.0
"""The formats of codebooks: each module turns one of them into drafts of variables.

Begin with ``draft.py``, which they share.
"""

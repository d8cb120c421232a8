# SPDX-License-Identifier: Apache-2.0
"""Codebooks imported and exported.

Begin with ``codebook_dialog.py``, which shows what an import would declare.
"""

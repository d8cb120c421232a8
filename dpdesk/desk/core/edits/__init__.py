# SPDX-License-Identifier: Apache-2.0
"""Edits of a study: pure functions from the study before to the study after.

Begin with ``study_edits.py``.
"""

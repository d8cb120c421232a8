# SPDX-License-Identifier: Apache-2.0
"""Before a release: a new study, shares that fit what is wanted, and the study on made-up rows.

Begin with ``new_study.py``, ``fit.py`` or ``rehearse.py``; a new study reads a file's first rows,
the others no data.
"""

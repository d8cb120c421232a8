# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a study, each problem with its place; for files, forms and shell.

Begin with ``study_checks.py``, which asks all the others.
"""

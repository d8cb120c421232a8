# SPDX-License-Identifier: Apache-2.0
"""Codebooks: what others wrote down about a file's columns. No data file is read here.

Begin with ``read.py``; ``diff.py`` compares with a study, ``write.py`` exports its declarations.
"""

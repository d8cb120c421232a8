# SPDX-License-Identifier: Apache-2.0
"""The English sentence of each mistake by its code, in a table for each thing that can be wrong.

Begin with ``study_file.py``; all tables look like it.
"""

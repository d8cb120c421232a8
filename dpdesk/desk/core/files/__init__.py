# SPDX-License-Identifier: Apache-2.0
"""What the desk knows of the study's files; none is read in the GUI thread.

Begin with ``data_file.py`` (the main table's first file) and ``further_files.py`` (all others).
"""

# SPDX-License-Identifier: Apache-2.0
"""Tables out of files of any kind, as batches of rows; one folder for each kind.

Begin with ``batch.py``: every kind of file is opened as the same ``OpenTable``.
"""

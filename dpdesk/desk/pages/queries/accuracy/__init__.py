# SPDX-License-Identifier: Apache-2.0
"""Accuracy and budget of one query: handle, marks, pictures. Begin with ``query_accuracy.py``."""

# SPDX-License-Identifier: Apache-2.0
"""Fitting shares to wanted margins or to a total. Begin with ``fit_dialog.py``."""

# SPDX-License-Identifier: Apache-2.0
"""Released figures and their bundle, after a release and in History.

Begin with ``results_view.py``.
"""

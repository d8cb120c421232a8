# SPDX-License-Identifier: Apache-2.0
"""Two releases side by side: what was asked of both, and whether a change is more than noise.

Begin with ``compare_records``. Only what was published is used, so nothing is spent.
"""

# SPDX-License-Identifier: Apache-2.0
"""What follows from released survival curves, at no price: medians, means, comparisons of groups.

Begin with ``derived_figures.py``; ``log_rank.py`` has the test, ``incidence_figures.py`` those of
several kinds of event, ``derived_table.py`` the table.
"""

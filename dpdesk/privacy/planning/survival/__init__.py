# SPDX-License-Identifier: Apache-2.0
"""What follows from released survival curves, at no price: medians, means, comparisons of groups.

Begin with ``derived_figures.py``; ``shares.py`` has the ends of shares, ``log_rank.py`` the test,
``incidence_figures.py`` figures of several kinds of event, ``derived_table.py`` the table.
"""

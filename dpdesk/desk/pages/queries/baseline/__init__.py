# SPDX-License-Identifier: Apache-2.0
"""A Table 1 among the queries: begin with ``baseline_card.py``."""

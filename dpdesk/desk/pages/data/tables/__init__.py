# SPDX-License-Identifier: Apache-2.0
"""Several tables: how they are joined, what is asked about each. Begin with ``tables_card.py``."""

# SPDX-License-Identifier: Apache-2.0
"""Data in a database: order, runner, sealed counts. Begin with ``database_view.py``."""

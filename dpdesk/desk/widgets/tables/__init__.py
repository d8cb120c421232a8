# SPDX-License-Identifier: Apache-2.0
"""Tables: shown, sorted, filtered, copied. Begin with ``data_table.py``."""

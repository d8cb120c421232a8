# SPDX-License-Identifier: Apache-2.0
"""How the desk looks: colour roles, spaces, type, icons; looked up when something is painted.

Begin with ``roles.py`` and ``metrics.py``.
"""

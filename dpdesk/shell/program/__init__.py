# SPDX-License-Identifier: Apache-2.0
"""What the shell says of the program itself, for anyone who installs or supports it.

Begin with ``installation.py``: is it whole, and what support needs to know.
"""

# SPDX-License-Identifier: Apache-2.0
"""Widgets in which something is typed, chosen or moved. Begin with ``field.py``."""

# SPDX-License-Identifier: Apache-2.0
"""History: what was spent, when and why. Begin with ``page.py``."""

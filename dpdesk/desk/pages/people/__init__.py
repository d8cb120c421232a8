# SPDX-License-Identifier: Apache-2.0
"""People: whose privacy is protected, and how much may be spent. Begin with ``page.py``."""

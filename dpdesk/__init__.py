# SPDX-License-Identifier: Apache-2.0
"""dpdesk: statistics about patients that may leave the building."""

__version__ = "1.1.0"

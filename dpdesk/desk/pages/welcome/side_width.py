# SPDX-License-Identifier: Apache-2.0
"""How wide each of the first page's two sides is at most."""

SIDE_WIDTH = 452

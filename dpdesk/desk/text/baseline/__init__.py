# SPDX-License-Identifier: Apache-2.0
"""Words for a Table 1."""

# SPDX-License-Identifier: Apache-2.0
"""Events over an exposure: what is drawn (begin in ``rate_sums``), the margin, the statistic."""

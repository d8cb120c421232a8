# SPDX-License-Identifier: Apache-2.0
"""What budget buys and costs: shares to scales, margins to shares, rho to epsilon and delta.

Begin with ``calibrate.py``.
"""

# SPDX-License-Identifier: Apache-2.0
"""Two releases side by side, and what the difference of their figures says."""

# SPDX-License-Identifier: Apache-2.0
"""The rehearsal: what the plan's tables and plots will look like, on made-up rows."""

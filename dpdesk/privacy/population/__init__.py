# SPDX-License-Identifier: Apache-2.0
"""Intervals for the population behind a table: noise and chance together."""

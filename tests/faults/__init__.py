# SPDX-License-Identifier: Apache-2.0
"""Kills, races and full disks by the thousand, and what was shown, spent and left then."""

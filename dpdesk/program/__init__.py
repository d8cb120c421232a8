# SPDX-License-Identifier: Apache-2.0
"""The program as it is installed and runs: its log, its crashes, its files, its open window.

Begin with ``faults.py`` (what is written down, and what never is), then ``handover.py`` (how a
file reaches the window that is open already). No Qt.
"""

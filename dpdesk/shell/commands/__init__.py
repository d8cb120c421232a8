# SPDX-License-Identifier: Apache-2.0
"""What each command is called with, as the usage says it, and what it hands to its module.

Begin with ``command.py``. A command imports its module when it is run: what reads files, draws
noise or verifies takes longer to import than a plan takes to make.
"""

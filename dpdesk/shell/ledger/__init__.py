# SPDX-License-Identifier: Apache-2.0
"""``dpdesk ledger``. Begin with ``backup.py``: where files leave or enter the home."""

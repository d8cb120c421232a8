# SPDX-License-Identifier: Apache-2.0
"""``dpdesk ledger`` where files leave or enter the home; ``backup.py`` has backup and restore,
``export.py`` what an auditor gets.
"""

# SPDX-License-Identifier: Apache-2.0
"""Alt and a letter press each button of a page or dialog.

They are found when a page or dialog comes on show, and again when Alt goes down
(``alt_letters.py``); what has one keeps it (``giving.py``). What is underlined while Alt is down
is what works then.
"""

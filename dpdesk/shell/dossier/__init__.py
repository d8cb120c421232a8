# SPDX-License-Identifier: Apache-2.0
"""``dpdesk dossier`` (``make.py``), and what ``dpdesk verify`` says of one (``checked.py``)."""

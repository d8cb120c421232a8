# SPDX-License-Identifier: Apache-2.0
"""The dossier of an exported release: its form in ``dossier_dialog.py``, and what Verify says."""

# SPDX-License-Identifier: Apache-2.0
"""The signing key's dialogs: made, unlocked, handed over, ended; and the second person's.

Begin with ``key_dialog.py``.
"""

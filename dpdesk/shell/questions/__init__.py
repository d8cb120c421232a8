# SPDX-License-Identifier: Apache-2.0
"""What a command asks before it goes on: whether it is the same file, whether to spend.

Begin with ``go_ahead.py``, the one question of every release.
"""

# SPDX-License-Identifier: Apache-2.0
"""What a file seems to be, for its custodian's eyes: nothing here reaches a parameter or a release.

Begin with ``recognise.py``, which proposes how a file is read; ``file_check.py`` is the check that
is made before each release.
"""

# SPDX-License-Identifier: Apache-2.0
"""Studies and queries made from what exists: an earlier study, or a template.

Begin with ``study_reuse``, which asks for files and opens the dialogs.
"""

# SPDX-License-Identifier: Apache-2.0
"""Studies and queries made from what exists: an earlier study, a template, declared columns.

Begin with ``earlier_study``. Nothing here reads data: of a file, its header is handed over.
"""

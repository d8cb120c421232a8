# SPDX-License-Identifier: Apache-2.0
"""The plan as a document for an ethics board: what would be published, before any data is read.

Begin with ``plan_pages``; ``document`` sets it as a PDF.
"""

# SPDX-License-Identifier: Apache-2.0
"""The report of a release: what it says, and the same as a page to open and as pages to print.

Begin with ``report_blocks.py``; ``html_page.py`` and ``pdf_pages.py`` only set it.
"""

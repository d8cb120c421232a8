# SPDX-License-Identifier: Apache-2.0
"""The first page: ways in, a drop zone, templates, studies. Begin with ``welcome_page.py``."""

# SPDX-License-Identifier: Apache-2.0
"""Data: check that the file was read the right way. Begin with ``page.py``."""

# SPDX-License-Identifier: Apache-2.0
"""Verify: anyone's bundle, checked. Begin with ``page.py``."""

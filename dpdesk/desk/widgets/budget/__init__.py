# SPDX-License-Identifier: Apache-2.0
"""The budget as gauge, panel, strip and blocks. Begin with ``gauge.py``."""

# SPDX-License-Identifier: Apache-2.0
"""Release: what goes out, what it costs, one button. Begin with ``page.py``."""

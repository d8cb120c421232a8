# SPDX-License-Identifier: Apache-2.0
"""Proposals for the custodian, made from headers and labels alone.

Nothing here opens a data file or sees a column's values, so no proposal can carry what one
patient contributed. What is proposed is public: shipped tables with their sources, or what a
header's wording says. Only the custodian turns a proposal into a declaration.

Begin with ``range_match.py`` and ``identifiers.py``.
"""

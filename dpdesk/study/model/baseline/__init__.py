# SPDX-License-Identifier: Apache-2.0
"""A Table 1: baseline characteristics by one group, asked as one question with one price.

Begin with ``declared.py``; ``expansion.py`` makes ordinary queries of it, each with its share.
"""

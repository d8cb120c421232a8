# SPDX-License-Identifier: Apache-2.0
"""How rows up to the end of each bin are counted: by what noisy sums, and what follows from them.

Begin in ``strategy``; ``hierarchical_counts`` and ``square_root`` are the strategies there are.
"""

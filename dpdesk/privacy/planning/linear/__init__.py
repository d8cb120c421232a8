# SPDX-License-Identifier: Apache-2.0
"""What follows from released second moments at no price: a linear model's coefficients.

Begin in ``coefficients``; ``model_lines`` makes lines of them.
"""

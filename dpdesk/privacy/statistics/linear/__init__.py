# SPDX-License-Identifier: Apache-2.0
"""Second moments of several columns, of which a linear model follows: begin in ``moment_design``.

What is drawn, and how far a person moves it, is in ``moment_design``; the statistic in
``linear_model``; the model, its intervals and its refusal in ``planning.linear``.
"""

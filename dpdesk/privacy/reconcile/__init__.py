# SPDX-License-Identifier: Apache-2.0
"""Released figures made consistent: tables over the same rows add up, and their margins shrink.

Post-processing of noisy values and public constants alone. Begin in ``figures``.
"""

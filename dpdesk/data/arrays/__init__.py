# SPDX-License-Identifier: Apache-2.0
"""Long arrays of integers, whatever they mean: growing, packing, sorting, in parallel."""

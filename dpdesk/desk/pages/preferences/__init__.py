# SPDX-License-Identifier: Apache-2.0
"""What a person sets of the program itself, and where it keeps things."""

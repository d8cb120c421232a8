# SPDX-License-Identifier: Apache-2.0
"""What whoever does not see the window is told of it, beyond names and descriptions."""

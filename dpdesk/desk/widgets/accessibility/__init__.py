# SPDX-License-Identifier: Apache-2.0
"""What anyone who does not see the window is told of it, beyond names and descriptions."""

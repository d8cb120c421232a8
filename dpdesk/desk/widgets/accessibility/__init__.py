# SPDX-License-Identifier: Apache-2.0
"""What anyone who does not see the window learns of it, beyond names and descriptions."""

# SPDX-License-Identifier: Apache-2.0
"""The window: everything that knows Qt."""

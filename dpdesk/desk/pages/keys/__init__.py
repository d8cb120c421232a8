# SPDX-License-Identifier: Apache-2.0
"""The signing key's dialogs: made, unlocked, and its public line handed over."""

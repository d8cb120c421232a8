# SPDX-License-Identifier: Apache-2.0
"""Broken and odd files by the ten thousand: each ends in a table or in one clear sentence."""

# SPDX-License-Identifier: Apache-2.0
"""Codebooks: what others wrote down about a file's columns. No data file is read here."""

# SPDX-License-Identifier: Apache-2.0
"""Layouts that put the edges that are seen in line, whatever room a focus ring needs."""

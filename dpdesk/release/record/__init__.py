# SPDX-License-Identifier: Apache-2.0
"""The record of a release as typed values, written to JSON once and parsed once.

Begin with ``values.py``; ``write.py`` has the one writer and ``parse.py`` the one parser.
"""

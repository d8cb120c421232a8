# SPDX-License-Identifier: Apache-2.0
"""The bundle's results.xlsx: a cover, the sheets that people read, the sheets that programs read.

Begin at ``book``. ``reading_sheets`` holds the sheets for people, ``data_sheets`` those that are
their CSV files, ``looks`` how cells look, ``cells`` what may stand in one.
"""

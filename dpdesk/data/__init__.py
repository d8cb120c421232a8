# SPDX-License-Identifier: Apache-2.0
"""Files become integers: read as text, coded by declared rules, bounded per person, aggregated.

Everything here but the header is private. A cell's content reaches no message, log or file, and
no content can stop a release or change which steps run: reading is total.
"""

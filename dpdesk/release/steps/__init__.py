# SPDX-License-Identifier: Apache-2.0
"""What a release goes through before noise is drawn: its order, its permission, its data.

A release takes them in this sequence; begin with ``order.py``.
"""

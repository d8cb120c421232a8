# SPDX-License-Identifier: Apache-2.0
"""Noise and the one door to it.

Begin with ``noise.py``: what a noise is. ``door.py`` draws it, from ``noise_library.py``.
"""

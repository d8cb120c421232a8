# SPDX-License-Identifier: Apache-2.0
"""Survival curves: what is drawn, the curve that fits it, and the bands around it.

Begin with ``survival.py``, the statistic; ``curve.py`` makes noisy counts a curve, ``band.py`` says
how far noise, and chance, can have moved it. ``incidence.py`` and
``incidence_band.py`` are the same of several kinds of event.
"""

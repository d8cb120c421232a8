# SPDX-License-Identifier: Apache-2.0
"""Monkeys: random events on the window, with fixed seeds, and what must hold whatever they do.

``inside`` runs one in the program's own process, ``screen`` one on a display of its own, with a
window manager, on the program as it is started. ``python -m tests.monkey`` runs both.
"""

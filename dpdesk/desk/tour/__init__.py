# SPDX-License-Identifier: Apache-2.0
"""The tour: a few callouts that point at the window's own controls.

Begin with ``tour``; what each callout says and points at is in ``stops``.
"""

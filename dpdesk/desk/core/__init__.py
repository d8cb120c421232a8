# SPDX-License-Identifier: Apache-2.0
"""The desk without its looks: the document, the state that views render, jobs, settings.

Begin with ``session.py``; ``state.py`` is what every view renders.
"""

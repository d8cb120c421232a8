# SPDX-License-Identifier: Apache-2.0
"""What the custodian declares: public, immutable, and complete without any data.

Begin with ``model/document.py``: a ``Study`` is what everything else is about. ``checks/`` says
what keeps it from being compiled, ``json/`` keeps it in files.
"""

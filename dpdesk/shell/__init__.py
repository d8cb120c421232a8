# SPDX-License-Identifier: Apache-2.0
"""The same work from a shell: one module a command.

Begin with ``output.py``, how commands answer, and ``release.py``.
"""

# SPDX-License-Identifier: Apache-2.0
"""The mechanism logic: sensitivity, noise, loss, accuracy; made without the data.

Begin with ``compiler.py``, which makes a ``plan.Plan`` of a study; ``statistics/`` has one module
for each kind of query, and ``noise/door.py`` is the only way to noise.
"""

# SPDX-License-Identifier: Apache-2.0
"""The runner beside a database: carries out an order, and seals what it counted.

The only room that may import ibis, a driver or a socket; an optional extra that nothing else
imports. Begin with ``runner.py``, which takes the steps in their sequence. The database holds,
ranks and groups rows; what a cell of it means is for ``dpdesk.data`` to say, as of any file.
"""

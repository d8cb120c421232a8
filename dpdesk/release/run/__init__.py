# SPDX-License-Identifier: Apache-2.0
"""A release from its order to the ledger: permission, prices, reading, drawing, recording.

Begin with ``order.py``; ``release_run.py`` takes the steps in their sequence.
"""

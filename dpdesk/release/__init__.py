# SPDX-License-Identifier: Apache-2.0
"""From a plan to what leaves the building: the run, the ledger, keys, bundles, their checks.

Begin with ``run/release_run.py``; ``record/`` is all that may ever be shown of a release.
"""

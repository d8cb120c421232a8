# SPDX-License-Identifier: Apache-2.0
"""The dossier of a release, for those who decide about it: facts, bounds and room for the decision.

It is made of a verified bundle, of what was typed in, and of the signed notices on releases of the
account so far, and of nothing else: no data file is opened, no clock is read. Begin with
``dossier_file.py``, which makes and signs it; ``dossier_check.py`` verifies.
"""

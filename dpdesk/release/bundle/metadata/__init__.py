# SPDX-License-Identifier: Apache-2.0
"""What programs and registries read of a bundle: data package, RO-Crate, deployment record.

Begin with ``datapackage.py``: the tables with their columns and units.
"""

# SPDX-License-Identifier: Apache-2.0
"""Before a release: shares that fit what is wanted, and the whole study on made-up rows.

Begin with ``fit`` or ``rehearse``; both read a study and no data.
"""

# SPDX-License-Identifier: Apache-2.0
"""A second person's signature, which an account can require before a release or an export.

Begin with ``requirement.py``; ``plan_file.py`` is what the second person signs.
"""

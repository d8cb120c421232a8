# SPDX-License-Identifier: Apache-2.0
"""Work off the GUI thread, and what it needs to be reported, stopped and ended.

Begin with ``jobs.py``; ``latest_job.py`` is for short looks of which the last one counts.
"""

# SPDX-License-Identifier: Apache-2.0
"""Only the system's own Python can import what asks its accessibility bus."""

collect_ignore = ["screen_reader.py"]

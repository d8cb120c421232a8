# SPDX-License-Identifier: Apache-2.0
"""Widgets that say something: labels, icons, remarks, banners."""

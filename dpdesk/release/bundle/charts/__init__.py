# SPDX-License-Identifier: Apache-2.0
"""What is drawn of released figures: window, pages to print and the page to open follow it.

``suitable_charts`` says which charts fit a query, by what it asks alone; ``description`` what a
chart is: its figures, its axis, its ticks. ``drawing`` sets one in lines and texts, whatever draws
them.
"""

# SPDX-License-Identifier: Apache-2.0
"""The one door to noise: what a noise is, the door that draws it, and the library behind it."""

# SPDX-License-Identifier: Apache-2.0
"""What a database counted, and whose people these are: asked in Data and at the release."""

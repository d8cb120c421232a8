# SPDX-License-Identifier: Apache-2.0
"""The mechanism logic: sensitivity, noise, loss, accuracy; made without the data."""

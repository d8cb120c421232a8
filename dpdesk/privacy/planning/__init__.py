# SPDX-License-Identifier: Apache-2.0
"""What a plan's figures mean and cost, before a release: shares, accuracy, pictures, remedies."""

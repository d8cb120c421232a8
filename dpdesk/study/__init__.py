# SPDX-License-Identifier: Apache-2.0
"""What the custodian declares: public, immutable, and complete without any data."""

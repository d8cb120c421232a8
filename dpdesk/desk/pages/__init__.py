# SPDX-License-Identifier: Apache-2.0
"""The pages: each renders the state and edits the study through the session."""

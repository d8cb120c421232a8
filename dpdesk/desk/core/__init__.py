# SPDX-License-Identifier: Apache-2.0
"""The desk without its looks: the document, the state that views render, jobs, settings."""

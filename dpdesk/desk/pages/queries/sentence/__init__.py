# SPDX-License-Identifier: Apache-2.0
"""A query as a sentence whose words are chosen. Begin with ``query_sentence.py``."""

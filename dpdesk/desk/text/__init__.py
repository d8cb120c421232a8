# SPDX-License-Identifier: Apache-2.0
"""Everything that the desk says: words, numbers and sentences, in its language.

Begin with ``words.py``; the modules beside it have the words of one page or one kind of thing.
"""

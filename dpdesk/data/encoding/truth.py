# SPDX-License-Identifier: Apache-2.0
"""What a truth value is in a column of declared texts.

Parquet files and workbooks know cells that are true or false; they come as the texts ``True`` and
``False``. A declared text that is the cell itself always counts. Where there is none, a truth
value is the declared text by which people write it: ``1``, ``yes``, ``j``. That holds only where
the declared texts say both, each in one way: ``F`` and ``M`` make no false cell female.

What a cell becomes follows from the declaration and the cell alone. Only files with types have
truth values: in a CSV file ``True`` is a text like any other.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpdesk.study.model.text_folding import folded

_TRUE = "1 true t yes y wahr ja j vrai oui o verdadero sí si s"
_FALSE = "0 false f no n falsch nein faux non falso"
TRUE_WORDS = frozenset(_TRUE.split())
FALSE_WORDS = frozenset(_FALSE.split())


def truth_codes(codes: Mapping[str, int]) -> dict[str, int]:
    """The codes of the cells ``True`` and ``False``; none where the texts do not say both.

    Args:
        codes: the code of each declared text.

    >>> truth_codes({"0": 0, "Nein": 0, "1": 1})
    {'False': 0, 'True': 1}
    >>> truth_codes({"F": 0, "M": 1}), truth_codes({"1": 0, "no": 0})
    ({}, {})
    """
    reported = [_codes_of(codes, words) for words in (FALSE_WORDS, TRUE_WORDS)]
    if any(len(found) != 1 for found in reported) or reported[0] == reported[1]:
        return {}
    return {text: found.pop() for text, found in zip(("False", "True"), reported, strict=True)}


def _codes_of(codes: Mapping[str, int], words: frozenset[str]) -> set[int]:
    return {code for text, code in codes.items() if folded(text) in words}

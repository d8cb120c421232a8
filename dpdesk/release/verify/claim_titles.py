# SPDX-License-Identifier: Apache-2.0
"""Whether a release's queries are called what its study calls them, and its tables after them.

A recipient reads the title, not the question in JSON: a mean for each ward must not be headed as
one for each sex. Sentences are worded by the version that wrote a bundle; this one can judge its
own. A title that was declared is the signer's, and the report has the question below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dpdesk
from dpdesk.release.reprice import read_released_study
from dpdesk.release.table_names import table_names
from dpdesk.study.json.json_reader import text_problem
from dpdesk.study.problem import Problem
from dpdesk.study.text.titles import sentence


def title_problems(predicate: dict[str, Any]) -> Iterator[Problem]:
    """``claim-title-differs`` and ``claim-name-differs``, each with param query."""
    queries = predicate["queries"]
    wanted = _titles(predicate)
    for index, query in enumerate(queries):
        called = query["title"]
        right = wanted.get(query["id"], called) == called
        if not (right and called.strip()) or text_problem(called):
            yield Problem(f"$.queries[{index}].title", "claim-title-differs", _which(query))
    names = table_names(query["title"] for query in queries)
    for index, (query, name) in enumerate(zip(queries, names, strict=True)):
        if query["name"] != name:
            yield Problem(f"$.queries[{index}].name", "claim-name-differs", _which(query))


def _titles(predicate: dict[str, Any]) -> dict[str, str]:
    """By query id, the title that the study gives, as far as this version can tell."""
    study = read_released_study(predicate["study"])
    if study is None:
        return {}
    own = predicate["software"]["dpdesk"] == dpdesk.__version__
    made = {q.id: sentence(study, q) for q in study.queries} if own else {}
    return made | {q.id: q.title for q in study.queries if q.title}


def _which(query: dict[str, Any]) -> dict[str, str]:
    return {"query": query["id"]}

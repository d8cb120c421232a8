# SPDX-License-Identifier: Apache-2.0
"""Whether a release's queries are called what its study calls them, and its tables after them.

A recipient reads the title, not the question in JSON: a mean for each ward must not be headed as
one for each sex. Sentences are worded by the version that wrote a bundle; this one can judge its
own. A title that was declared is the signer's, and the report has the question below it.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.release.record.table_names import table_names
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.study.json.json_reader import text_problem
from dpdesk.study.problem import Problem
from dpdesk.study.text.titles import sentence


def title_problems(record: ReleaseRecord) -> Iterator[Problem]:
    """``claim-title-differs`` and ``claim-name-differs``, each with param query."""
    wanted = _titles(record)
    for index, query in enumerate(record.queries):
        right = wanted.get(query.id, query.title) == query.title
        if not (right and query.title.strip()) or text_problem(query.title):
            path = f"$.queries[{index}].title"
            yield Problem(path, "claim-title-differs", {"query": query.id})
    names = table_names(query.title for query in record.queries)
    for index, (query, name) in enumerate(zip(record.queries, names, strict=True)):
        if query.name != name:
            yield Problem(f"$.queries[{index}].name", "claim-name-differs", {"query": query.id})


def _titles(record: ReleaseRecord) -> dict[str, str]:
    """By query id, the title that the study gives."""
    study = record.study.study
    if study is None:
        return {}
    return {q.id: q.title or sentence(study, q) for q in study.queries}

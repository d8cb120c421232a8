# SPDX-License-Identifier: Apache-2.0
"""What a release takes for granted about its file, and how its cells were compared, in words.

All of it is declared; nothing is found in the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.record.second_person import Override
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.text_folding import EXACT, FOLDED, comparisons, has_collision
from dpdesk.study.model.unit import DataSource, Unit


def assumptions(record: ReleaseRecord, words: ReleaseWords = WORDS) -> tuple[str, ...]:
    """The sentences that a release's claim and study call for; none where neither does."""
    sources = record.study.sources
    declared = (
        any(one.get("line_breaks") is True and one.get("format") == "csv" for one in sources),
        any(one.get("fill_down") is True for one in sources),
    )
    found = _sentences(record.claim.unit == "row", record.study.data.get("format"), declared, words)
    found = (*found, words.say(RECOVERY)) if record.place.recovery_opened else found
    found = (*found, *_counted_by(record, words))
    return (*found, *override_sentences(record, words))


def _counted_by(record: ReleaseRecord, words: ReleaseWords) -> Iterator[str]:
    """Which database counted: dpdesk added the noise, and saw no row."""
    for engine in dict.fromkeys(query.counted_by for query in record.queries if query.counted_by):
        yield words.say(COUNTED_BY, engine=engine)


def override_sentences(record: ReleaseRecord, words: ReleaseWords = WORDS) -> tuple[str, ...]:
    """How a second person came to be replaced without their signature, each time."""
    return tuple(_override(override, words) for override in record.overrides)


def _override(override: Override, words: ReleaseWords) -> str:
    template = _REPLACED if override.now else _DROPPED
    return words.say(
        template,
        day=override.time.partition("T")[0],
        was=override.was.identity,
        key=fingerprint_of(override.was.blob),
        now=override.now.identity if override.now else "",
        reason=override.reason,
    )


def study_assumptions(study: Study, words: ReleaseWords = WORDS) -> tuple[str, ...]:
    """The same of a study that is still to be released."""
    by_row = (study.unit or Unit()).person is None
    declared = (
        any(one.line_breaks and one.format == "csv" for one in study.sources),
        any(one.fill_down for one in study.sources),
    )
    return _sentences(by_row, (study.data or DataSource()).format, declared, words)


def _sentences(
    by_row: bool, kind: Any, declared: tuple[bool, bool], words: ReleaseWords
) -> tuple[str, ...]:
    (breaks, fills), is_text, say = declared, kind == "csv", words.say
    found = (say(_UNIT, row=say("line") if is_text else say("row")),) if by_row else ()
    found = (*found, say(LINE_BREAKS)) if breaks else found
    return (*found, say(FILL_DOWN)) if fills and not by_row else found


_UNIT: Final[Template] = (
    "There is no person ID column: the privacy unit is one {row} of the data file. A person with "
    "several of them is protected less."
)
COUNTED_BY: Final[Template] = (
    "{engine} counted the rows where they are kept. dpdesk opened the sealed counts and added the "
    "noise. Nothing here proves who made the counts."
)
_COMPARED: Final[dict[str, Template]] = {
    "folded": "Compared with the declared values, ignoring case and surrounding spaces: {columns}.",
    "exact": "Compared with the declared values letter by letter: {columns}.",
    "collided": "Compared letter by letter, because declared texts differ only in case: {columns}.",
}
LINE_BREAKS: Final[Template] = (
    "Cells of the data file contain line breaks, and dpdesk relies on doubled quotation marks "
    "inside cells. If they are not doubled, one person's rows may have changed how the rows of "
    "others were read, and the protection stated here does not hold."
)


FILL_DOWN: Final[Template] = (
    "A row without an id counts as a row of the person above it: dpdesk relies on each person's "
    "rows being together, below one that has the id. A row elsewhere is protected as a row of "
    "the person above it."
)


RECOVERY: Final[Template] = (
    "The account was unlocked after a restore, rebuild or move, without proof of what had been "
    "spent elsewhere: more may have been spent than is stated here."
)


_REPLACED: Final[Template] = (
    "Since {day} {now} signs for this account in place of {was} ({key}), who did not sign that "
    "change. The custodian’s reason: {reason}"
)
_DROPPED: Final[Template] = (
    "Since {day} {was} ({key}) no longer has to sign for this account, and did not sign that "
    "change. The custodian’s reason: {reason}"
)


def comparison_sentences(study: Study, words: ReleaseWords = WORDS) -> tuple[str, ...]:
    """Which listed columns are compared how; nothing where no query uses one."""
    return tuple(_comparisons(study, words))


def _comparisons(study: Study, words: ReleaseWords) -> Iterator[str]:
    found = comparisons(study)
    collided = [c for c in found if has_collision(c, study.missing_of(c))]
    folded = [c for c, way in found.items() if way == FOLDED]
    exact = [c for c, way in found.items() if way == EXACT and c not in collided]
    for columns, how in (
        (folded, "folded"),
        (exact, "exact"),
        (collided, "collided"),
    ):
        if columns:
            yield words.say(_COMPARED[how], columns=", ".join(map(column_title, columns)))


def declares_folding(study: Study) -> bool:
    """Whether a listed column of a query asks for folding."""
    return any(getattr(column, "compare", EXACT) == FOLDED for column in comparisons(study))

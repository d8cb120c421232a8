# SPDX-License-Identifier: Apache-2.0
"""One sentence for each mistake: what is wrong, and what to do.

The core knows codes only. Shell and window say the sentences of ``sentences/``, each in its own
language. A test demands one for every code that the core can give.
"""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Catalogue, Template, spoken
from dpdesk.study.problem import Problem
from dpdesk.study.text.sentence_language import localised, localised_text
from dpdesk.texts.sentences import (
    budget,
    bundles,
    codebooks,
    counting,
    data_file,
    declarations,
    in_window,
    keys,
    ledger,
    program,
    study_file,
)

TABLES = (
    study_file.SENTENCES,
    declarations.SENTENCES,
    data_file.SENTENCES,
    budget.SENTENCES,
    ledger.SENTENCES,
    keys.SENTENCES,
    bundles.SENTENCES,
    codebooks.SENTENCES,
    counting.SENTENCES,
    program.SENTENCES,
)
SENTENCES: Final[dict[str, Template]] = {
    code: text for table in TABLES for code, text in table.items()
}
IN_WINDOW: Final[dict[str, Template]] = SENTENCES | in_window.SENTENCES
"""As the window says them."""
_SUGGESTING = "+suggestion"
"""Ends the code of a sentence that offers what would be right."""


def sentence(
    problem: Problem, catalogue: Catalogue | None = None, *, in_window: bool = False
) -> str:
    """The sentence for a problem, in a language: where none is named, in that of the commands.

    Args:
        in_window: whether the window says it, which names no command.
    """
    catalogue = catalogue or spoken()
    suggesting = problem.code + _SUGGESTING
    offers = "suggestion" in problem.params and suggesting in SENTENCES
    code = suggesting if offers else problem.code
    template = IN_WINDOW[code] if in_window else SENTENCES[code]
    said = localised(problem.params, catalogue)
    if offers and in_window:
        # A command takes it with a point; a field takes it as the language writes it.
        said["suggestion"] = localised_text(problem.params["suggestion"], catalogue)
    return catalogue.say(template, **said)


def located(
    problem: Problem, catalogue: Catalogue | None = None, *, in_window: bool = False
) -> str:
    """The sentence with its JSON path in front."""
    where = "" if problem.path == "$" else f"{problem.path}: "
    return where + sentence(problem, catalogue, in_window=in_window)

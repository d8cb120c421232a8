# SPDX-License-Identifier: Apache-2.0
"""What somebody typed, at the end of a sentence of the program."""


def as_sentence(reason: str) -> str:
    """A reason as it was typed, with its full stop.

    >>> as_sentence("The wrong file"), as_sentence("Twice!")
    ('The wrong file.', 'Twice!')
    """
    return reason if reason.endswith((".", "!", "?")) else f"{reason}."

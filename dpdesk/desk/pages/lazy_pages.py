# SPDX-License-Identifier: Apache-2.0
"""The window's pages, each made when it is first asked for: most are not needed to begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dpdesk.desk.pages.step_page import StepPage


class LazyPages(Mapping[str, StepPage]):
    """Pages by their keys.

    Args:
        makers: what makes each page.
        made: told of each page that was made, before anybody else has it.
    """

    def __init__(
        self, makers: Mapping[str, Callable[[], StepPage]], made: Callable[[StepPage], None]
    ) -> None:
        self._makers = dict(makers)
        self._tell = made
        self._pages: dict[str, StepPage] = {}
        self._memories: dict[str, object] = {}

    def __getitem__(self, key: str) -> StepPage:
        if key not in self._pages:
            page = self._makers[key]()
            self._pages[key] = page
            self._tell(page)
            if (memory := self._memories.pop(key, None)) is not None:
                page.recall(memory)
        return self._pages[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def made(self) -> tuple[StepPage, ...]:
        """The pages that were needed so far."""
        return tuple(self._pages.values())

    def memories(self) -> dict[str, object]:
        """What the pages show that does not follow from the session, by their keys."""
        own = {key: page.memory() for key, page in self._pages.items()}
        return self._memories | {key: one for key, one in own.items() if one is not None}

    def recall(self, memories: Mapping[str, object]) -> None:
        """Let each page show again what it showed in another window, once it is needed."""
        self._memories = dict(memories)

    def forget(self) -> None:
        """Another study is opened: what is known of the one before is not shown any more."""
        self._memories = {}
        for page in self._pages.values():
            page.forget()

    def find(self, key: str) -> StepPage | None:
        """The page of a key, if it was needed so far."""
        return self._pages.get(key)

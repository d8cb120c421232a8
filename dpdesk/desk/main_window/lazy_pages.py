# SPDX-License-Identifier: Apache-2.0
"""The window's pages, each made when it is first asked for: most are not needed to begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.page_list import PAGES
from dpdesk.desk.pages.step_page import StepPage


@dataclass(frozen=True)
class _Earlier:
    """What a page showed before another study was opened: some of it belongs to no study."""

    memory: object


class LazyPages(Mapping[str, StepPage]):
    """Pages by their keys.

    Args:
        session: the window's work.
        made: called with each page that was made, and its key, before anything else has it.
    """

    def __init__(self, session: Session, made: Callable[[str, StepPage], None]) -> None:
        self._session = session
        self._made = made
        self._pages: dict[str, StepPage] = {}
        self._memories: dict[str, object] = {}

    def __getitem__(self, key: str) -> StepPage:
        if key not in self._pages or key in self._memories:
            for _ in self.make(key):
                pass
        return self._pages[key]

    def make(self, key: str, *, only_remembered: bool = False) -> Iterator[None]:
        """Make a page, if it was not needed yet; step by step, it shows again what it showed.

        Args:
            key: the page's.
            only_remembered: unless there is something that it showed.
        """
        memory = self._memories.get(key)
        if only_remembered and (memory is None or isinstance(memory, _Earlier)):
            return
        if key not in self._pages:
            page = self._pages[key] = PAGES[key].load()(self._session)
            page.name(PAGES[key].title())
            self._made(key, page)
            yield
            if key in self._memories:
                page.make_ready_to_recall()
                yield
        memory = self._memories.pop(key, None)
        if isinstance(memory, _Earlier):
            self._pages[key].recall_others(memory.memory)
        elif memory is not None:
            self._pages[key].recall(memory)
            yield

    def __iter__(self) -> Iterator[str]:
        return iter(PAGES)

    def __len__(self) -> int:
        return len(PAGES)

    def made(self) -> tuple[StepPage, ...]:
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
        known = self._memories.items()
        self._memories = {
            key: one if isinstance(one, _Earlier) else _Earlier(one) for key, one in known
        }
        for page in self._pages.values():
            page.forget()

    def find(self, key: str) -> StepPage | None:
        return self._pages.get(key)

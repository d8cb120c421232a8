# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.architecture`` draws the program's rooms into ``docs/architecture.svg``.

The picture is made from the code: rooms and folders are those of ``dpdesk/``, what is said of each
is the first sentence of its ``__init__.py``, and arrows are imports. A room lies above all that it
imports; an arrow that others already imply is left out, one that goes up is dashed. Inside a room,
too, folders are drawn above those that they import.
"""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from itertools import product
from pathlib import Path

from tests.source_files import ROOT, nodes, python_files, syntax_tree

PICTURE = ROOT / "docs" / "architecture.svg"
PROGRAM = ROOT / "dpdesk"
WIDTH, MARGIN, GAP, PAD, FOLDER = 1200, 36, 44, 12, 226
TITLE, TEXT, SMALL = 16, 12.5, 11.5
STYLE = (
    "text{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1c2430}"
    ".room{fill:#eef3f8;stroke:#5b7690}.folder{fill:#fff;stroke:#b5c3d1}"
    ".name{font-weight:600}.down{stroke:#5b7690;fill:none}"
    ".up{stroke:#b3541e;stroke-dasharray:5 4;fill:none}"
)

Graph = Mapping[str, Counter[str]]
"""By name, how often it imports each other one."""


@cache
def imports(path: Path) -> tuple[tuple[str, ...], ...]:
    """The modules of the program that a source imports, without the program's own name."""
    found: list[str] = []
    for node in nodes(syntax_tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(tuple(name.split(".")[1:]) for name in found if name.startswith("dpdesk."))


def graph(room: tuple[str, ...] = ()) -> dict[str, Counter[str]]:
    """Imports among what lies directly in a room."""
    inside = PROGRAM.joinpath(*room)
    found: dict[str, Counter[str]] = {name: Counter() for name in names(inside)}
    for path in python_files(f"dpdesk/{'/'.join(room)}"):
        own = path.relative_to(inside).with_suffix("").parts[0]
        for module in imports(path):
            there = module[len(room) : len(room) + 1]
            if module[: len(room)] == room and there and there[0] in found.keys() - {own}:
                found.get(own, Counter[str]())[there[0]] += 1
    return found


def names(folder: Path) -> list[str]:
    """The modules and folders directly in a folder."""
    found = [path for path in folder.iterdir() if path.suffix == ".py" or is_folder(path)]
    return sorted(path.stem for path in found if path.stem != "__init__")


def is_folder(path: Path) -> bool:
    """Whether modules lie in it."""
    return (path / "__init__.py").is_file()


def layers(graph: Graph) -> list[list[str]]:
    """Names in layers, the lowest first: each as high as what imports it allows.

    Of names that import each other in a circle the one goes lowest that imports the fewest.

    >>> layers({"a": Counter("bc"), "b": Counter("c"), "c": Counter(), "d": Counter("c")})
    [['c'], ['b', 'd'], ['a']]
    >>> layers({"a": Counter("b"), "b": Counter("cc"), "c": Counter("b")})
    [['c'], ['b'], ['a']]
    """
    reached = reach({(a, b) for a, b in product(graph, graph) if graph[a][b]})
    levels: dict[str, int] = {}
    while left := sorted(graph.keys() - levels.keys()):
        waits = {name: sum(graph[name][other] for other in left) for name in left}
        free = [name for name in left if not waits[name]]
        circle = [name for name in left if (name, name) in reached]
        chosen = free or [min(circle, key=waits.__getitem__)]
        levels |= dict.fromkeys(chosen, max(levels.values(), default=-1) + 1)
    for name in sorted(levels, key=lambda name: -levels[name]):
        above = [levels[other] for other in graph if graph[other][name]]
        above = [level for level in above if level > levels[name]]
        levels[name] = min(above) - 1 if above else levels[name]
    return [sorted(n for n in levels if levels[n] == at) for at in sorted(set(levels.values()))]


def reach(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The pairs, and those that they make in a row."""
    reached = set(pairs)
    while more := {(a, d) for (a, b), (c, d) in product(reached, pairs) if b == c} - reached:
        reached |= more
    return reached


def arrows(graph: Graph, order: list[list[str]]) -> list[tuple[str, str, bool]]:
    """Importer, imported, and whether the arrow goes up; without those that others imply."""
    level = {name: place for place, names in enumerate(order) for name in names}
    pairs = {(a, b) for a, b in product(level, level) if graph[a][b]}
    down = {(a, b) for a, b in pairs if level[a] > level[b]}
    implied = {(a, d) for (a, b), (c, d) in product(down, reach(down)) if b == c}
    return [(*ends, ends not in down) for ends in sorted(pairs - implied)]


def sentence(path: Path) -> str:
    """The first sentence of a module's or folder's docstring."""
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    words = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    first = words.split("\n\n")[0].replace("\n", " ").replace("`", "")
    return first.split(". ")[0].rstrip(".") + "."


@dataclass(frozen=True)
class Box:
    """A room or folder with its place in the picture."""

    path: Path
    x: float
    y: float
    width: float
    is_room: bool = True

    @property
    def name(self) -> str:
        """As people write it."""
        return f"{self.path.stem}/" if self.path.is_dir() else f"{self.path.stem}.py"

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @cached_property
    def lines(self) -> list[str]:
        """What lives there, in lines that fit."""
        size = TEXT if self.is_room else SMALL
        return textwrap.wrap(sentence(self.path), int((self.width - 2 * PAD) / (size * 0.53)))

    @cached_property
    def folders(self) -> list[Box]:
        """The boxes of its folders, those above that import the ones below."""
        if not self.is_room or not self.path.is_dir():
            return []
        found: list[Box] = []
        columns = max(1, int((self.width - PAD) / FOLDER))
        width = (self.width - PAD) / columns - PAD
        inside = [name for layer in reversed(layers(graph((self.path.stem,)))) for name in layer]
        paths = [self.path / name for name in inside if is_folder(self.path / name)]
        y = self._below_text
        for start in range(0, len(paths), columns):
            row = [
                Box(path, self.x + PAD + place * (width + PAD), y, width, is_room=False)
                for place, path in enumerate(paths[start : start + columns])
            ]
            found += row
            y += max(box.height for box in row) + PAD
        return found

    @property
    def _below_text(self) -> float:
        size = TEXT if self.is_room else SMALL
        return self.y + PAD + TITLE * 1.3 + len(self.lines) * size * 1.35 + 4

    @cached_property
    def height(self) -> float:
        """Room for all that stands in it."""
        bottom = max((box.y + box.height + PAD for box in self.folders), default=self._below_text)
        return bottom + PAD / 2 - self.y

    def drawn(self) -> Iterator[str]:
        """Its rectangle, texts and folders."""
        kind, size = ("room", TEXT) if self.is_room else ("folder", SMALL)
        yield (
            f'<rect class="{kind}" x="{self.x:.0f}" y="{self.y:.0f}" width="{self.width:.0f}" '
            f'height="{self.height:.0f}" rx="6"/>'
        )
        y = self.y + PAD + TITLE * 0.75
        yield self._text(self.name, y, TITLE if self.is_room else TEXT, ' class="name"')
        for line in self.lines:
            y += size * 1.35
            yield self._text(line, y + 3, size)
        for box in self.folders:
            yield from box.drawn()

    def _text(self, text: str, y: float, size: float, more: str = "") -> str:
        x = self.x + PAD
        return f'<text x="{x:.0f}" y="{y:.1f}" font-size="{size}"{more}>{escape(text)}</text>'


def placed(order: list[list[str]]) -> dict[str, Box]:
    """Every room's box, layer by layer from the top."""
    found: dict[str, Box] = {}
    y: float = MARGIN
    for layer in reversed(order):
        paths = {name: PROGRAM / name for name in layer}
        parts = {name: 1 + sum(map(is_folder, p.glob("*"))) for name, p in paths.items()}
        whole, x = WIDTH - 2 * MARGIN - GAP * (len(layer) - 1), float(MARGIN)
        for name, path in paths.items():
            width = whole * parts[name] / sum(parts.values())
            found[name] = Box(path, x, y, width)
            x += width + GAP
        y += max(found[name].height for name in layer) + GAP
    return found


def arrow(source: Box, target: Box, goes_up: bool, shift: float) -> str:
    """An import: straight down where that is possible, or up along the right margin."""
    if goes_up:
        y, end = source.y + source.height / 2, target.y + target.height / 2
        line = f"M{source.right:.0f} {y:.0f}H{WIDTH - MARGIN / 2:.0f}V{end:.0f}"
        line += f"H{target.right + 2:.0f}"
    else:
        left, right = max(source.x, target.x) + 20, min(source.right, target.right) - 20
        ends = [(left + right) / 2] * 2 if left < right else [left, right]
        x, x2 = ends if source.x >= target.x else reversed(ends)
        line = f"M{x + shift:.0f} {source.y + source.height:.0f}"
        line += f"L{x2 + shift:.0f} {target.y - 2:.0f}"
    kind = "up" if goes_up else "down"
    return f'<path class="{kind}" d="{line}" marker-end="url(#{kind})"/>'


def picture() -> str:
    """The picture as SVG."""
    rooms = graph()
    order = layers(rooms)
    boxes = placed(order)
    height = max(box.y + box.height for box in boxes.values()) + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}">',
        "<title>The rooms of dpdesk: each imports only from those below it</title>",
        f"<style>{STYLE}</style>",
        *(
            f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
            f'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="{color}"/></marker>'
            for kind, color in (("down", "#5b7690"), ("up", "#b3541e"))
        ),
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#fff"/>',
    ]
    for place, (source, target, goes_up) in enumerate(arrows(rooms, order)):
        lines.append(arrow(boxes[source], boxes[target], goes_up, place % 5 * 6 - 12))
    for box in boxes.values():
        lines += box.drawn()
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")

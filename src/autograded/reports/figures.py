"""The figures of a report as geometry; templates/figures.html.j2 draws them as SVG.

Lengths are in the units of the figure's view box. What a figure shows is also said in words, for
those who do not see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograded.i18n import _
from autograded.reports.items import CheckItem

WIDTH, HEIGHT = 640, 280
LEFT, RIGHT, TOP, BOTTOM = 48, 24, 40, 50


@dataclass(frozen=True)
class Bar:
    """One bar: its count, what it stands for, and its rectangle."""

    count: int
    label: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Point:
    """One point, what it stands for, and whether it is marked."""

    label: str
    x: float
    y: float
    marked: bool


@dataclass(frozen=True)
class Tick:
    """A labelled place on an axis."""

    place: float
    label: str


@dataclass(frozen=True)
class Figure:
    """A figure with its text alternatives.

    Attributes:
        title: what it is.
        description: what it shows, in words.
        x_label, y_label: what the axes are.
        x_ticks, y_ticks: places along them.
        bars, points: what is drawn; one of them is empty.
    """

    title: str
    description: str
    x_label: str
    y_label: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...] = ()
    points: tuple[Point, ...] = ()

    width, height = WIDTH, HEIGHT
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM


def distribution(counts: Sequence[int], title: str) -> Figure:
    """Scores in classes of equal width, from 0 to 100 % of the points."""
    step = 100 / len(counts)
    inner, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    most = max(*counts, 1)
    slot = inner / len(counts)
    bars = []
    for number, count in enumerate(counts):
        height = high * count / most
        label = f"{number * step:g}–{(number + 1) * step:g} %"
        x = LEFT + number * slot + 2
        bars.append(Bar(count, label, x, TOP + high - height, slot - 4, height))
    said = ", ".join(f"{bar.label}: {bar.count}" for bar in bars if bar.count)
    description = _("Number of submissions by share of the points: {said}.").format(said=said)
    return Figure(
        title,
        description,
        _("share of the points, %"),
        _("submissions"),
        tuple(Tick(LEFT + i * slot, f"{i * step:g}") for i in range(len(counts) + 1)),
        tuple(Tick(TOP + high * (1 - value / most), f"{value}") for value in _whole(most)),
        bars=tuple(bars),
    )


def _whole(most: int, wanted: int = 4) -> list[int]:
    """Round numbers from 0 to at most `most`, about `wanted` of them."""
    step = 1
    while most / step > wanted:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    return list(range(0, most + 1, step))


def item_map(checks: Sequence[CheckItem], title: str) -> Figure | None:
    """Checks by difficulty and discrimination; None when no check has both."""
    known = [
        (check, check.difficulty, check.discrimination)
        for check in checks
        if check.difficulty is not None and check.discrimination is not None
    ]
    if not known:
        return None
    inner, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    low = -1.0 if min(value for _c, _d, value in known) < -0.5 else -0.5
    low = 0.0 if min(value for _c, _d, value in known) >= 0 else low

    def height(value: float) -> float:
        return TOP + high * (1 - (value - low) / (1 - low))

    points = tuple(
        Point(f"{c.exercise}: {c.title}", LEFT + inner * x, height(y), bool(c.reasons))
        for c, x, y in known
    )
    ticks = [low + i * (1 - low) / 4 for i in range(5)]
    description = _(
        "{count} checks, each at its share of passes and its discrimination; {marked} of them, "
        "drawn as open squares, are worth a second look. The table below holds every number."
    ).format(count=len(points), marked=sum(point.marked for point in points))
    return Figure(
        title,
        description,
        _("difficulty: share that pass, %"),
        _("discrimination"),
        tuple(Tick(LEFT + inner * i / 10, f"{10 * i}") for i in range(11)),
        tuple(Tick(height(value), f"{value:g}".replace("-", "−")) for value in ticks),
        points=points,
    )

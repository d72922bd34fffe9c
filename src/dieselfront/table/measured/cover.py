"""Cover on the measured table: what covers a model against a viewer, and what the majority of a unit has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dieselfront.table.measured.shapes import Body
from dieselfront.table.measured.sight import Sighting
from dieselfront.table.measured.table import MeasuredTable
from dieselfront.table.measured.terrain import Cover, Piece, Stand


@dataclass(frozen=True, slots=True)
class CoverRules:
    """What rulebooks count differently."""

    inside: Stand = Stand.TOUCH  # how much of a model must be in area terrain to have its cover
    own: bool = True  # does terrain the viewer touches or stands in cover the target (unless it is in it too)?
    models: Cover = Cover.HARD  # cover behind models that block sight
    unseen: Cover = Cover.HARD  # cover of a model that is not seen at all


@dataclass(frozen=True, slots=True)
class CoverReason:
    """Why a model is in cover: the terrain id or model key, the grade, and how."""

    who: object
    grade: Cover
    how: str  # "inside", "behind", "unseen"


@dataclass(frozen=True, slots=True)
class ModelCover:
    """The best cover of one model, never a sum, with all that would give some."""

    grade: Cover
    reasons: tuple[CoverReason, ...]


def model_cover(
    table: MeasuredTable, viewer: Body | None, target: Body, sighting: Sighting, rules: CoverRules
) -> ModelCover:
    """What covers a target as a viewer sees it (`sighting` comes from sight())."""
    reasons = _inside(table, target, rules)
    if not sighting.seen:
        reasons.append(CoverReason(None, rules.unseen, "unseen"))
    mine = _own(table, viewer, rules)
    standing = [piece for piece, _ in table.standing(target)]
    for reason in sighting.reasons:
        if reason.is_model:
            reasons.append(CoverReason(reason.who, rules.models, "behind"))
            continue
        piece = table.piece(str(reason.who))
        if _stands_before(piece, reason.effect, viewer, target, mine, standing, table):
            reasons.append(CoverReason(piece.id, piece.kind.cover, "behind"))
    reasons = [reason for reason in reasons if reason.grade]
    return ModelCover(max((reason.grade for reason in reasons), default=Cover.NONE), tuple(reasons))


def _stands_before(
    piece: Piece,
    effect: str,
    viewer: Body | None,
    target: Body,
    mine: list[Piece],
    standing: list[Piece],
    table: MeasuredTable,
) -> bool:
    """Does a piece on the line cover the target from outside?"""
    if effect == "area":  # looking into or out of area terrain: only its inside covers
        stood = [] if viewer is None else [own for own, _ in table.standing(viewer)]
        return piece not in standing and piece not in stood
    if effect == "opening":
        return piece.id != target.inside and (viewer is None or piece.id != viewer.inside)
    return piece not in mine or piece in standing


def _inside(table: MeasuredTable, target: Body, rules: CoverRules) -> list[CoverReason]:
    """Area terrain and buildings cover those in them."""
    reasons = []
    if target.inside is not None:
        piece = table.piece(target.inside)
        reasons.append(CoverReason(piece.id, piece.kind.cover, "inside"))
    for piece, grade in table.standing(target):
        if piece.kind.is_area and not piece.is_building and grade >= rules.inside:
            reasons.append(CoverReason(piece.id, piece.kind.cover, "inside"))
    return reasons


def _own(table: MeasuredTable, viewer: Body | None, rules: CoverRules) -> list[Piece]:
    if rules.own or viewer is None:
        return []
    return [piece for piece, _ in table.standing(viewer)]


def half_is_covered(covers: Sequence[ModelCover]) -> bool:
    """Half of the models, odd numbers rounded for the target, and at least one (ff.cover.unit, ff.open.cover_half)."""
    covered = sum(1 for cover in covers if cover.grade)
    return covered >= max(1, len(covers) // 2)


def majority_cover(shooters: Sequence[Sequence[ModelCover]]) -> Cover:
    """The cover of a unit shot at by a unit: one row of model covers for each shooter (k47.shoot.cover_def).

    A grade counts unless at least half of the shooters have a line with less cover to at least half of the models.
    """
    for grade in (Cover.HARD, Cover.SOFT):
        free = 0
        for row in shooters:
            easier = sum(1 for cover in row if cover.grade < grade)
            free += 2 * easier >= len(row)
        if shooters and 2 * free < len(shooters):
            return grade
    return Cover.NONE

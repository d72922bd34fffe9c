"""The faces that succeed where the printed icon is lost, in one place, and the classic dice (bf.open.lost_icons)."""

from __future__ import annotations

from dieselfront.rulesets.dust1947.dice import ARMY, ARMY_FACE, SHIELD, SHIELD_FACE, TARGET, TARGET_FACE

TIE_FACE = TARGET_FACE  # bf.turn.initiative_tie, bf.open.initiative_tie_icon
AMBUSH = ARMY | TARGET  # bf.scenario.ambush_actions
AMMO_DROP = ARMY | TARGET  # bf.command.ammo_drop
CRASH = TARGET  # bf.transport.destroyed_rolls
RESURRECTION = ARMY | SHIELD  # bf.skill.resurrection
OWN_EDGE, LEFT_CORNER, RIGHT_CORNER = ARMY_FACE, TARGET_FACE, SHIELD_FACE  # bf.scenario.reserves_scattered
CHOICE, ATTACK, MOVE = ARMY_FACE, TARGET_FACE, SHIELD_FACE  # bf.command.inject

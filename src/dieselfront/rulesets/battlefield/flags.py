"""Flags of units that only Battlefield has; the others stand in dust/state.py."""

from __future__ import annotations

from dieselfront.rulesets.dust.state import TOKEN_NAMES

MARCHED = 1 << 24  # its last action was a MARCH MOVE (bf.objective.no_march)
AMBUSHES = 1 << 25  # held in ambush (bf.scenario.ambush_hold)
ATTACK_STIMULANTS = 1 << 26
MOVE_STIMULANTS = 1 << 27
IDLE = 1 << 28  # its pilot has got out (bf.pilot.empty_vehicle)
FRESH_PILOT = 1 << 29  # its pilot mounted this turn (bf.open.mount_then_drive)
SCATTERED = 1 << 30

TOKEN_NAMES.setdefault(ATTACK_STIMULANTS, "attack stimulants")
TOKEN_NAMES.setdefault(MOVE_STIMULANTS, "move stimulants")
TOKEN_NAMES.setdefault(AMBUSHES, "in ambush")
TOKEN_NAMES.setdefault(IDLE, "without its pilot")

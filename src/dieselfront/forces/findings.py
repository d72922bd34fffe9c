"""What is wrong with an army list: one fault for each broken rule, collected as the checks go along."""

from __future__ import annotations

import msgspec


class ArmyFault(msgspec.Struct, frozen=True):
    """One thing wrong with a list. `rule` is the id of the rule broken, `unit` the label of the unit."""

    message: str
    rule: str = ""
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.message} ({self.rule})" if self.rule else self.message


class Findings:
    """Faults as they are found: `errors` make a list illegal, `warnings` do not."""

    def __init__(self) -> None:
        self.errors: list[ArmyFault] = []
        self.warnings: list[ArmyFault] = []
        self.bonus = 0
        self.faction_force = False

    def error(self, message: str, rule: str = "", unit: str = "") -> None:
        self.errors.append(ArmyFault(message, rule, unit))

    def warn(self, message: str, rule: str = "", unit: str = "") -> None:
        self.warnings.append(ArmyFault(message, rule, unit))

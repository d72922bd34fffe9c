"""Skills of carriers and of those they carry; transport.py in the chapter folder reads their names and numbers."""

from __future__ import annotations

from dieselfront.rulesets.dust.hooks import Skill


class Carrier(Skill):
    """Marks a unit that carries others."""

    def on_carries(self) -> None:
        """A mark."""


class Passengers(Carrier):
    """Room for infantry, as many spaces as the card says (d47.skill.passengers)."""

    name, rule = "Passengers", "d47.skill.passengers"


class Airlifter(Carrier):
    """Carries one airmobile vehicle (d47.skill.airlifter)."""

    name, rule = "Airlifter", "d47.skill.airlifter"


class Sealifter(Carrier):
    """Carries units over water (d47.skill.sealifter)."""

    name, rule = "Sealifter", "d47.skill.sealifter"


class Airmobile(Skill):
    """Can be carried by an airlifter (d47.skill.airmobile)."""

    name, rule = "Airmobile", "d47.skill.airmobile"

    def on_airlifted(self) -> None:
        """A mark."""


class AirAssault(Skill):
    """Can be carried by an airlifter and leave it even after it has activated (d47.skill.air_assault)."""

    name, rule = "Air Assault", "d47.skill.air_assault"

    def on_airlifted(self) -> None:
        """A mark."""

    def on_leaves_late(self) -> None:
        """A mark."""


class AssaultVehicle(Skill):
    """Its passengers may leave after it has activated (d47.skill.assault_vehicle)."""

    name, rule = "Assault Vehicle", "d47.skill.assault_vehicle"

    def on_unloads_late(self) -> None:
        """A mark."""


ALL: list[type[Skill]] = [Passengers, Airlifter, Sealifter, Airmobile, AirAssault, AssaultVehicle]

"""Dust on the open table: what every Dust game without squares shares.

Places, bases and hulls, terrain, models and how they keep together, regions and ways, sight and templates, and the
chapters of Dust 1947 that speak of squares, restated for points. It knows no leader and no command circle: a game says
from which of its models a unit measures and what keeps them together (models.py), and inherits the rest.
"""

"""Konflikt '47 cards and army lists: their files, prices, platoons, imports and printed sheets.

The rules read units through forces_in.py; everything that other rooms ask of cards is answered by family.py.
"""

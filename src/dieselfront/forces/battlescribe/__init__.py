"""BattleScribe and New Recruit: catalogues become homebrew cards, rosters become army lists.

`safe` opens files nobody should trust, `library` follows their links, `dust` and `konflikt` read units,
`rosters` and `newrecruit` read lists, `match` finds our cards for them, `compare` holds them against ours.
"""

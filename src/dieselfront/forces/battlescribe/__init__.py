"""BattleScribe and New Recruit: catalogues become homebrew cards, rosters become army lists.

`safe` opens files nobody should trust, `first_schema` brings old ones up to date, `library` follows their links, `dust`
reads units (other families read theirs in their own folders), `rosters` reads lists, `match` finds our cards for them,
`compare` holds them against ours.
"""

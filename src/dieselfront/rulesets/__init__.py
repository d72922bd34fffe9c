"""The rulesets: one rulebook a folder; `dust` holds what the Dust games share."""

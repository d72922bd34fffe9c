"""The kernel: state, procedures, decisions, events, records and copies. It names no rule and no ruleset."""

"""Playing in a terminal: the board, the units, the log, and questions with numbered answers."""

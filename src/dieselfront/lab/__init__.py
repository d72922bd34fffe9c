"""The lab: thousands of games between computer players, in one process or many."""

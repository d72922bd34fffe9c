"""Dieselfront: weird-war miniature wargames, played by their full rules."""

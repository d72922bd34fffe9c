"""Migrations of the server's database."""

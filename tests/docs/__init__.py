"""The documentation: its commands, its links, its site."""

"""Authoring: from the one source of an assignment to stubs, notebooks and public data."""

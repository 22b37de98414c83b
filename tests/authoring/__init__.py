"""Tests of authoring: sources, the forms made from them, and nbgrader on a built course."""

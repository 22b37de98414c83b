"""A student's feedback page, made by `nbgrader generate_feedback` and formgrader's button."""

RESULT = "autograded_result"
"""Key of a graded notebook's metadata that holds its result document."""

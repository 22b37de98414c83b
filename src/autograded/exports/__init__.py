"""What leaves the course: grades and results in the forms that other programs read.

One module for each form; `command` runs them for `autograded export`, `plugins` for `nbgrader
export`.
"""

"""Student code runs here: values, wire format, warm process, confinement, limits.

Nothing in this package imports graders, solutions or `autograded.grading`: it runs beside student
code, and must never hold an expected value.
"""

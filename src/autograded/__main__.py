"""`python -m autograded`: the same as the command."""

from autograded.cli import main

main()

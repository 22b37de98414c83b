"""Reading what students hand in, notebooks and Python files, as cells of code."""

"""nbgrader: configuration, preprocessors, and what is written to and read from its gradebook."""

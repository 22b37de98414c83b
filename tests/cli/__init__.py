"""The command line itself: help, completion, errors and exit statuses."""

"""What people look at: tables of checks, feedback, reports."""

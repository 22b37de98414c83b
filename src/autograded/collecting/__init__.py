"""Brings what students handed in elsewhere, as a download or an exchange, into the classroom."""

"""The languages of messages."""

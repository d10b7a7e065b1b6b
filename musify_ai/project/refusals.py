"""What a run refuses before it has written anything."""


class Refused(Exception):
    """The run cannot or must not be done as asked. The message is a sentence for the user; nothing was written."""

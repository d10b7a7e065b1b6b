"""The reviewer's page: one HTML file that needs nothing else, for deciding whether a migration can be merged."""

from musify_ai.report.html.page import render

__all__ = ["render"]

"""The pages and cases of the name tier's findings, one module a code; the tier itself makes them all in one pass."""

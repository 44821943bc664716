"""One class for each product; modules of this folder are found by themselves."""

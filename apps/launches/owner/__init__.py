"""What owners see of a launch: its state, and what is left to do."""

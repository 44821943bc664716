"""Start, watch and stop the processes of an installation."""

"""What an operator runs: backups, checks, metrics, and the data of people."""

"""What the installation stores about people: exported, erased, and deleted after a time."""

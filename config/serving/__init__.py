"""Serve requests: slow clients, capacity, open files and repeated answers, around Django."""

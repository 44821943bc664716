#!/usr/bin/env python
"""Runs Slipway's management commands; `manage.py up` starts everything."""

from config.command import main

if __name__ == "__main__":
    main()

"""Run `manage.py` as `python -m config`, wherever the project is installed."""

from config.command import main

main()

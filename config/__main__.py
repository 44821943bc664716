"""`python -m config` is `manage.py` wherever the project is installed."""

from config.command import main

main()

"""Other people's test suites, run against a really started server."""

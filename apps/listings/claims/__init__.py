"""Claims of listed websites, proven by a token that only the website's owner can publish."""

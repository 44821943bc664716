"""Claims of listed websites, proven by a word that only the website's owner can put there."""

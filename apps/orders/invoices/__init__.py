"""Invoices and credit notes: what they say, their numbers, print and email."""

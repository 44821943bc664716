"""Invoices and credit notes: content, numbers, PDF and email."""

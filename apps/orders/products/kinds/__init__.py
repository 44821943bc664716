"""One class per product. Modules in this folder are discovered automatically."""

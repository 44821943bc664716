"""Back up an installation to one archive and restore it: the database, the uploads, the local secret key.

modules: archive (the file: members, checksums, encryption), database (dump, restore, counts), contents (what goes in
and comes out), engines (the local PostgreSQL where it is not running).
"""

from django.apps import AppConfig


class BlocklistsConfig(AppConfig):
    name = "apps.blocklists"
    label = "blocklists"

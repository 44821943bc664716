"""URLs of people's own data."""

from django.urls import path

from apps.accounts.own_data import views

urlpatterns = [
    path("account/data", views.own_data, name="own_data"),
    path("account/data/<int:export_id>/archive.zip", views.download, name="own_data_download"),
    path("account/delete", views.delete_account, name="delete_account"),
    path("account/delete/cancel", views.keep_account, name="keep_account"),
]

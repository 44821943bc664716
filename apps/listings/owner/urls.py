from django.urls import path

from apps.listings.owner import editor_pages, history_pages, manage_pages, milestone_pages, update_pages

urlpatterns = [
    path("listings/<slug:slug>/manage", manage_pages.manage, name="manage_listing"),
    path("listings/<slug:slug>/edit", editor_pages.edit, name="edit_listing"),
    path("listings/<slug:slug>/milestones", milestone_pages.milestones, name="listing_milestones"),
    path(
        "listings/<slug:slug>/milestones/<int:milestone_id>/delete",
        milestone_pages.delete,
        name="delete_milestone",
    ),
    path("listings/<slug:slug>/updates/new", update_pages.new_update, name="new_update"),
    path("listings/<slug:slug>/history", history_pages.history, name="listing_history"),
]

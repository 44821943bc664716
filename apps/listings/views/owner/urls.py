from django.urls import path

from apps.listings.views.owner import editor, history, manage, milestones, updates

urlpatterns = [
    path("listings/<slug:slug>/manage", manage.manage, name="manage_listing"),
    path("listings/<slug:slug>/edit", editor.edit, name="edit_listing"),
    path("listings/<slug:slug>/milestones", milestones.milestones, name="listing_milestones"),
    path(
        "listings/<slug:slug>/milestones/<int:milestone_id>/delete",
        milestones.delete,
        name="delete_milestone",
    ),
    path("listings/<slug:slug>/updates/new", updates.new_update, name="new_update"),
    path("listings/<slug:slug>/history", history.history, name="listing_history"),
    path("listings/<slug:slug>/versions/<int:version_id>/restore", history.restore, name="restore_listing"),
]

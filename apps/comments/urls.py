from django.urls import path

from apps.comments import feeds, views
from apps.comments.api import CommentViewSet
from apps.sites.seo.feeds import feed_paths

api_urlpatterns = [
    path("listings/<slug:slug>/comments", CommentViewSet.as_view({"get": "list_comments"})),
]
urlpatterns = [
    path("listings/<slug:slug>/comments", views.comments, name="comments"),
    *feed_paths("listings/<slug:slug>/comments", feeds.comments_feed, name="comments_feed"),
    path("listings/<slug:slug>/comments/new", views.new_comment, name="new_comment"),
    path("listings/<slug:slug>/comments/<int:comment_id>", views.comment, name="comment"),
    path("listings/<slug:slug>/comments/<int:comment_id>/reply", views.reply, name="reply_to_comment"),
    path("listings/<slug:slug>/comments/<int:comment_id>/edit", views.edit, name="edit_comment"),
    path("listings/<slug:slug>/comments/<int:comment_id>/report", views.report, name="report_comment"),
    *[
        path(
            f"listings/<slug:slug>/comments/<int:comment_id>/{name}",
            views.decide,
            {"name": name},
            name=f"{name}_comment",
        )
        for name in views.STEPS
    ],
]

from django.urls import path

from apps.comments.api import CommentViewSet
from apps.comments.views import comments, feeds
from apps.sites.seo.feeds import feed_paths

api_urlpatterns = [
    path("listings/<slug:slug>/comments", CommentViewSet.as_view({"get": "list_comments"})),
]
urlpatterns = [
    path("listings/<slug:slug>/comments", comments.comments, name="comments"),
    *feed_paths("listings/<slug:slug>/comments", feeds.comments_feed, name="comments_feed"),
    path("listings/<slug:slug>/comments/new", comments.new_comment, name="new_comment"),
    path("listings/<slug:slug>/comments/<int:comment_id>", comments.comment, name="comment"),
    path("listings/<slug:slug>/comments/<int:comment_id>/reply", comments.reply, name="reply_to_comment"),
    path("listings/<slug:slug>/comments/<int:comment_id>/edit", comments.edit, name="edit_comment"),
    *[
        path(
            f"listings/<slug:slug>/comments/<int:comment_id>/{name}",
            comments.decide,
            {"name": name},
            name=f"{name}_comment",
        )
        for name in comments.STEPS
    ],
]

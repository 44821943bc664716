"""This app's pages in the admin's sidebar: by group, model, name of its rows, and Material symbol."""

SIDEBAR = {
    "Directory": (("comments.Comment", "Comments", "chat_bubble"),),
}

"""This app's pages in the admin's sidebar: by group, model, name of its rows, and Material symbol."""

SIDEBAR = {
    "Founders": (
        ("stories.FounderStory", "Founder stories", "auto_stories"),
        ("stories.InterviewAnswer", "Interview answers", "forum"),
        ("stories.InterviewVersion", "Interview versions", "history"),
        ("stories.InterviewQuestion", "Interview questions", "help"),
    ),
}

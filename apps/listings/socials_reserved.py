"""First path segments that are pages of a platform itself, and so no profile's name."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RESERVED = {
    "x": _words("""
        share intent home search hashtag i login signup explore settings privacy tos about messages
        notifications compose download jobs oauth widgets account
    """),
    "github": _words("""
        about features pricing login join signup marketplace sponsors topics collections trending explore
        settings apps enterprise security customer-stories readme contact site search new notifications
        issues pulls codespaces team events resources solutions copilot account sessions organizations
        users git-guides mobile nonprofit
    """),
    "gitlab": _words("explore users help dashboard search api admin projects -"),
    "youtube": _words("""
        watch embed playlist results shorts feed live about ads t howyoutubeworks creators account redirect
        premium gaming hashtag post v signin iframe_api yt s api clip subscription_center
    """),
    "instagram": _words("""
        p reel reels explore accounts stories tv about developer direct share web legal privacy sharer
    """),
    "facebook": _words("""
        sharer sharer.php share share.php dialog plugins login login.php events watch hashtag tr photo
        photos photo.php story.php permalink.php l.php policies help privacy ads business settings
        marketplace gaming messages legal terms about home.php video videos reel stories public media
        sharer.html recover r.php profile.php
    """),
    "discord": _words("""
        login register download nitro developers safety blog app channels invite servers terms privacy
        company jobs
    """),
    "medium": _words("""
        p m tag tags search about me new-story membership plans creators jobs-at-medium policy help signin
        topic topics business feed media
    """),
    "telegram": _words("""
        share joinchat addstickers addlist proxy socks setlanguage iv login bg addtheme invoice s
    """),
    "slack": _words("www app api join status my hooks files slack-redir docs"),
}

"""Which types of schema.org stand for content, pages, organizations and applications."""

from apps.drafts.extraction.text.words import words_of

CONTENT_TYPES = words_of("""
    article newsarticle blogposting blog socialmediaposting reportagenewsarticle opinionnewsarticle
    reviewnewsarticle analysisnewsarticle backgroundnewsarticle liveblogposting techarticle
    scholarlyarticle report review recipe howto podcastepisode audioobject videoobject musicrecording
    episode tvepisode creativework discussionforumposting question qapage course book movie event
    jobposting product softwareapplication mobileapplication webapplication softwaresourcecode dataset
""")
PAGE_TYPES = words_of("webpage aboutpage contactpage collectionpage itempage profilepage faqpage")
ORGANIZATION_TYPES = words_of("""
    organization corporation newsmediaorganization onlinebusiness onlinestore localbusiness ngo
    educationalorganization brand project store professionalservice
""")
APPLICATION_TYPES = words_of("softwareapplication mobileapplication webapplication videogame")

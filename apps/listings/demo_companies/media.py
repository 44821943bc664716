"""Demo companies for people who write, read, record and learn."""

from apps.listings.demo_companies.company import DemoCompany

COMPANIES = (
    DemoCompany(
        name="Inkwell",
        headline="The writing desk that edits like your best colleague",
        summary=(
            "Inkwell reads your draft the way a good colleague does: it marks the paragraph that says "
            "nothing, the claim without a source and the sentence that tries too hard. It suggests, "
            "you decide, and your voice stays yours. Style guides are enforced by example, not by "
            "lecture."
        ),
        description=(
            "There are enough programs that finish your sentences. Inkwell would rather ask what you "
            "mean.\n\n"
            "You write in a quiet editor. When you want a second pair of eyes, Inkwell goes through "
            "the text with four questions: is it clear, is it true as far as it can be checked, is it "
            "in the right order, does it sound like you? Remarks stand in the margin and can be "
            "answered.\n\n"
            "Give it ten texts you are proud of and it learns what ‘sounds like you’ means. Your texts "
            "are used for you alone, and leaving takes them with you."
        ),
        categories=("writing", "ai"),
        tags=("editing", "style guides", "drafts", "long-form"),
        country="DE",
        city="Berlin",
        founded=2024,
        team=7,
        pricing="freemium",
        price_cents=1100,
        platforms=("Web", "macOS", "iOS"),
        tech=("Swift", "Python"),
        audience="People who write for a living",
        alternatives=("Grammar checkers", "A patient friend"),
        socials=("mastodon", "bluesky", "rss"),
        faqs=(
            (
                "Does Inkwell write for me?",
                (
                    "No. It can shorten a sentence you point at, and it will tell you that a paragraph is "
                    "missing. Writing it is up to you."
                ),
            ),
            (
                "Which languages does it read?",
                (
                    "English, German, French and Dutch. Each has an editor in our team who is responsible for "
                    "the remarks."
                ),
            ),
        ),
        updates=(
            (
                "Inkwell reads your style guide",
                (
                    "Upload the guide your house already has. Inkwell turns it into examples, asks where it "
                    "contradicts itself, and marks only what you agreed on."
                ),
            ),
            (
                "Remarks can be answered",
                (
                    "Disagree with a remark and say why. Inkwell drops it, and remembers for this text or for "
                    "all, as you choose."
                ),
            ),
        ),
        milestones=(
            (230, "10,000 drafts in one week", ""),
            (100, "French and Dutch", "Each with an editor of its own."),
        ),
    ),
    DemoCompany(
        name="Marginalia",
        headline="Reading notes that find each other",
        summary=(
            "Marginalia collects what you underline in books, articles and PDFs and shows, while you "
            "read, which of your older notes say the same or the opposite. It is a slow notebook for "
            "people who read for their work. Exports are plain text, forever."
        ),
        categories=("writing", "productivity"),
        tags=("reading", "notes", "highlights", "research"),
        country="NL",
        city="Haarlem",
        founded=2026,
        team=1,
        pricing="freemium",
        price_cents=400,
        platforms=("Web", "iOS"),
        tech=("Django", "PostgreSQL"),
        audience="Readers who write",
        socials=("mastodon",),
    ),
    DemoCompany(
        name="Galleyway",
        headline="Newsletters with a real editor’s desk",
        summary=(
            "Galleyway is where a newsletter with more than one author is made: pitches, drafts, fact "
            "checks, a layout that looks right in every mail program, and a calendar everybody "
            "believes. Readers subscribe on your own domain. Paid subscriptions cost you the card fee "
            "and nothing else."
        ),
        categories=("marketing", "writing", "media"),
        tags=("newsletters", "editing", "subscriptions"),
        country="GB",
        city="Bristol",
        founded=2023,
        team=6,
        pricing="paid",
        price_cents=3900,
        platforms=("Web",),
        audience="Small newsrooms and marketing teams",
        socials=("mastodon", "rss", "bluesky"),
        updates=(
            (
                "Fact checks beside the sentence",
                "Mark a sentence, ask for a source, and see what is open before the issue goes out.",
            ),
        ),
    ),
    DemoCompany(
        name="Offcut Audio",
        headline="Edit a podcast by deleting words",
        summary=(
            "Offcut Audio writes down what was said and cuts the sound when you delete a sentence. "
            "Breaths, room tone and cross-talk are kept natural, so nobody hears where you cut. "
            "Exports go to every host, with chapters and a transcript."
        ),
        description=(
            "Editing an hour of conversation used to take six. In Offcut Audio you read it, delete "
            "what nobody needs, move a paragraph, and listen to the joints.\n\n"
            "The recognition runs on your computer, in nineteen languages, and the project is a folder "
            "of plain files. Two people can edit the same episode and see each other’s changes."
        ),
        categories=("media", "ai"),
        tags=("podcasts", "audio editing", "transcripts"),
        country="CA",
        city="Montréal",
        founded=2023,
        team=6,
        pricing="paid",
        price_cents=1600,
        platforms=("macOS", "Windows", "Linux"),
        tech=("Rust", "C++"),
        audience="Podcasters without a studio",
        socials=("youtube", "mastodon"),
        faqs=(
            (
                "Does my recording leave my computer?",
                (
                    "Only if you ask two people to edit together; then the project is synchronised, encrypted, "
                    "between the two of you."
                ),
            ),
        ),
        updates=(
            (
                "Two editors, one episode",
                (
                    "See the other cursor in the text, hear the same joint, and keep both versions of a "
                    "paragraph until you agree."
                ),
            ),
        ),
        milestones=((200, "Linux version", "Asked for by 1,100 people, used by 1,900 in its first month."),),
        makers=(
            "Six people who cut podcasts by deleting words",
            (
                "Recognition runs on your machine because we could not afford servers. It turned out to be "
                "the best decision we made."
            ),
        ),
    ),
    DemoCompany(
        name="Clipwright",
        headline="Six captioned clips from an hour-long talk",
        summary=(
            "Upload a talk and get six suggestions for clips that stand on their own, with captions, "
            "the right crop for phones, and the slide when it matters. You choose, trim and export. "
            "Speakers approve their clips with one link before anything is published."
        ),
        categories=("media", "marketing"),
        tags=("video", "captions", "conferences"),
        country="US",
        city="Denver",
        founded=2024,
        team=5,
        pricing="freemium",
        price_cents=2200,
        platforms=("Web",),
        audience="Conferences and community teams",
        socials=("youtube", "linkedin"),
        updates=(
            (
                "Speakers say yes first",
                "Each clip has a link on which the speaker accepts or declines. Export waits for it.",
            ),
        ),
    ),
    DemoCompany(
        name="Verbena",
        headline="Learn a language from articles you would read anyway",
        summary=(
            "Verbena takes an article you care about and hands it back at your level, in the language "
            "you learn, with the original one tap away. Words you looked up come back in later "
            "articles instead of on flash cards. Twelve languages, all checked by native editors."
        ),
        categories=("education", "media"),
        tags=("languages", "reading", "vocabulary"),
        country="BE",
        city="Ghent",
        founded=2023,
        team=7,
        pricing="freemium",
        price_cents=700,
        platforms=("Web", "iOS", "Android"),
        audience="Adults who know the basics",
        socials=("instagram", "threads", "rss"),
        updates=(
            (
                "Your library card works",
                ("Articles from 60 newspapers for members of 214 public libraries, without a second subscription."),
            ),
        ),
    ),
    DemoCompany(
        name="Chalkline",
        headline="Homework feedback for a whole class by Monday",
        summary=(
            "Chalkline reads thirty essays, groups the mistakes and suggests one comment for each "
            "pupil, which the teacher accepts, changes or deletes. Pupils see feedback, never a mark "
            "made by a machine. Names are replaced before anything leaves the school."
        ),
        categories=("education", "ai"),
        tags=("teachers", "feedback", "essays", "schools"),
        country="FI",
        city="Helsinki",
        founded=2024,
        team=6,
        pricing="freemium",
        price_cents=900,
        platforms=("Web",),
        audience="Teachers of languages and history",
        socials=("linkedin",),
        faqs=(
            ("Does Chalkline give marks?", "No. It never suggests one, and there is no setting that makes it do so."),
        ),
        updates=(
            (
                "Handwriting, read in the classroom",
                ("Photograph a stack of pages with the school’s tablet. The text is recognised on the device."),
            ),
        ),
    ),
)

"""Demo companies that help people to plan and decide together."""

from apps.listings.demo_companies.company import DemoCompany

COMPANIES = (
    DemoCompany(
        name="Orbitly",
        headline="Shared timelines for distributed product teams",
        summary=(
            "Orbitly shows what every team works on as one timeline that moves with reality: a slipped "
            "task pushes what depends on it, and everybody concerned hears about it once. Time zones "
            "and days off are part of the picture. Updates are written for people, not for a tool."
        ),
        description=(
            "Plans rarely fail in the plan. They fail between two teams, on the Thursday when one "
            "knows that it will be late and the other does not. Orbitly is built around that Thursday.\n\n"
            "Each team keeps the board it likes. Orbitly reads it and draws what depends on what "
            "across teams. When a date moves, the people who wait for it get one message with the new "
            "date and the reason, and they can answer on the spot whether they can live with it.\n\n"
            "Once a week it writes a page for those who only want to know whether the autumn release "
            "is still in autumn. The page quotes the teams’ own words and links to where they were "
            "said."
        ),
        categories=("productivity", "communication"),
        tags=("roadmaps", "remote teams", "planning", "SaaS"),
        country="EE",
        city="Tallinn",
        founded=2023,
        team=11,
        pricing="freemium",
        price_cents=900,
        platforms=("Web", "macOS", "Windows"),
        tech=("TypeScript", "Elixir", "PostgreSQL"),
        audience="Product teams in more than one time zone",
        alternatives=("Gantt charts", "Status meetings"),
        has_docs=True,
        socials=("linkedin", "bluesky", "youtube", "rss"),
        faqs=(
            (
                "Do all teams have to move to Orbitly?",
                "No. Orbitly reads the boards they use. Six are supported and there is an API for the rest.",
            ),
            (
                "How do you treat days off?",
                (
                    "They come from the calendars you connect or a file. A task never ends on a day when "
                    "nobody is there."
                ),
            ),
            (
                "Can we host it ourselves?",
                ("From the Company plan on, as a container with PostgreSQL. It gets every release a week later."),
            ),
        ),
        updates=(
            (
                "Offline timelines are here",
                (
                    "The whole timeline opens without a connection, on trains and in meeting rooms without a "
                    "signal. Changes are merged when you are back; where two people moved the same date, both "
                    "are shown."
                ),
            ),
            (
                "A weekly page for those who only want to know",
                (
                    "Orbitly writes one page on Friday: what moved, what it means for the release, and who "
                    "decides. It quotes the teams and links to the place."
                ),
            ),
            (
                "Days off from any calendar",
                (
                    "Public holidays of 94 countries and regions are built in. Personal days come from "
                    "calendars or a file."
                ),
            ),
        ),
        milestones=(
            (280, "500 teams", "In 37 countries and 19 time zones."),
            (170, "Self-hosted edition", "First used by two hospitals and a ministry."),
            (40, "Certified to ISO 27001", ""),
        ),
    ),
    DemoCompany(
        name="Fieldnote",
        headline="Field research notes that file themselves",
        summary=(
            "Talk, type or photograph during an interview; Fieldnote sorts the pieces by question, "
            "participant and theme, and keeps the recording one tap away from every quote. Consent "
            "forms and deletion dates are part of the project. Works for weeks without a network."
        ),
        categories=("productivity", "education"),
        tags=("user research", "interviews", "notes", "offline"),
        country="NL",
        city="Groningen",
        founded=2025,
        team=4,
        pricing="paid",
        price_cents=2100,
        platforms=("iOS", "Android", "Web"),
        tech=("Swift", "Kotlin"),
        audience="Researchers in companies and universities",
        socials=("linkedin", "mastodon"),
        faqs=(
            (
                "What happens on the deletion date?",
                (
                    "Recordings and names are removed from all devices and backups, and the project gets a "
                    "signed note that says so."
                ),
            ),
        ),
        updates=(
            (
                "Themes across projects",
                (
                    "Find every quote about ‘waiting’ in three years of interviews, as far as the consent of "
                    "each participant allows."
                ),
            ),
        ),
        milestones=((50, "First university-wide licence", "For 600 researchers."),),
        makers=(
            "We left research to build the notebook we missed",
            (
                "Fieldnote is four former researchers and one long list of complaints. We post a note from "
                "the field, with numbers, on the first of every month."
            ),
        ),
    ),
    DemoCompany(
        name="Sundial",
        headline="A calendar that plans around your energy",
        summary=(
            "Sundial learns at which hours you think best and protects them: deep work in the morning, "
            "calls after lunch, errands when you are tired anyway. Invitations get an honest answer "
            "with two better times. One person makes it, on purpose."
        ),
        description=(
            "Most calendars treat nine o’clock and four o’clock as the same hour. For most people they "
            "are not.\n\n"
            "Tell Sundial for two weeks how your hours felt, with one tap, and it draws your day as a "
            "curve. From then on it places tasks where they fit and answers invitations with times at "
            "which you will be good company. You can overrule it, and it takes note.\n\n"
            "Everything works with the calendar account you have. Sundial stores the curve and your "
            "task list, and nothing else."
        ),
        categories=("productivity", "health"),
        tags=("calendar", "focus", "planning", "solo founder"),
        country="NL",
        city="Haarlem",
        founded=2025,
        team=1,
        pricing="paid",
        price_cents=600,
        platforms=("Web", "iOS"),
        tech=("Django", "PostgreSQL", "Swift"),
        audience="People who plan their own day",
        socials=("mastodon", "rss"),
        faqs=(
            (
                "Does it work with my company’s calendar?",
                (
                    "With every calendar that speaks CalDAV and with the two large office suites. Sundial "
                    "needs to see free and busy times, not titles."
                ),
            ),
        ),
        updates=(
            (
                "Meetings that move themselves",
                (
                    "If everybody in a meeting uses Sundial, it may move by up to two hours when all of them "
                    "gain. Nobody is moved twice in a day."
                ),
            ),
            (
                "A curve for Mondays",
                (
                    "Weekdays differ. Sundial now keeps seven curves and tells you when two of them have "
                    "become the same."
                ),
            ),
        ),
        milestones=(
            (155, "First paying customer", "A translator who works at five in the morning."),
            (35, "300 subscribers", "Enough to do this full time."),
        ),
        makers=(
            "One person, one calendar, 300 subscribers",
            (
                "I build Sundial alone and write down the numbers every month: subscribers, refunds, hours "
                "of support. This is the page for those who think of doing the same."
            ),
        ),
    ),
    DemoCompany(
        name="Rookery",
        headline="Self-hosted video calls for teams of fifty",
        summary=(
            "Rookery is video calls on a server of your own: install one package, point a domain at "
            "it, invite people by link. Fifty participants need four cores, because only those who "
            "speak are sent in full. Free software, owned by a cooperative of its users."
        ),
        description=(
            "Rookery began when a school network was told that its calls would have to cross an ocean. "
            "Today 900 schools, clubs and small companies run it on machines they know by name.\n\n"
            "The server forwards video without decoding it, so a small machine is enough. Rooms can be "
            "encrypted end to end. Recording is off unless everybody agrees, and everybody can see "
            "that it is on.\n\n"
            "Development is paid by members of a cooperative, who vote on the plan twice a year. The "
            "code is under the AGPL."
        ),
        categories=("open-source", "communication"),
        tags=("video calls", "self-hosted", "webrtc", "cooperative"),
        country="BE",
        city="Leuven",
        founded=2021,
        team=8,
        pricing="open_source",
        platforms=("Web", "Linux"),
        tech=("Go", "WebRTC"),
        audience="Schools, clubs and small companies",
        has_docs=True,
        socials=("github", "mastodon", "rss"),
        faqs=(
            (
                "How large a server do we need?",
                (
                    "Two cores for twenty people, four for fifty. A call of fifty with everybody’s camera on "
                    "takes about 60 Mbit/s out of the server."
                ),
            ),
        ),
        updates=(
            (
                "Version 5: calls survive a restart",
                ("Update the server in the middle of a meeting. Participants see a still picture for two seconds."),
            ),
            (
                "The members have voted",
                (
                    "Next are captions in eleven languages, then breakout rooms. Virtual backgrounds wait for "
                    "the next vote."
                ),
            ),
        ),
        milestones=(
            (360, "Cooperative founded", "With 112 members."),
            (125, "900 installations", "As far as they tell us; nothing phones home."),
        ),
        makers=(
            "Video calls owned by the people who use them",
            (
                "Eight employees, 430 members, one vote each. We write about running free software as a "
                "cooperative, including the meetings."
            ),
        ),
    ),
    DemoCompany(
        name="Quorum Notes",
        headline="Meeting notes that end in decisions",
        summary=(
            "Quorum Notes listens to a meeting and writes down only what was decided, by whom, and "
            "what is still open. Each decision gets a page that says which earlier one it replaces. "
            "When two decisions contradict each other, both authors hear about it."
        ),
        categories=("productivity", "ai"),
        tags=("meetings", "decisions", "minutes"),
        country="GB",
        city="Manchester",
        founded=2024,
        team=8,
        pricing="freemium",
        price_cents=1000,
        platforms=("Web", "macOS", "Windows"),
        audience="Leadership and project teams",
        socials=("linkedin",),
        faqs=(
            (
                "Is the conversation recorded?",
                (
                    "The sound is deleted when the notes are accepted, at the latest after a day. You can also "
                    "feed it written minutes."
                ),
            ),
        ),
        updates=(
            (
                "Decisions that replace others",
                (
                    "The history of a decision is one page now: what was decided first, what replaced it, and "
                    "the reason given each time."
                ),
            ),
        ),
        milestones=((85, "100,000 decisions", "4,300 of them have been replaced since."),),
    ),
)

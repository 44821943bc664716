"""Demo companies for design, data and safety."""

from apps.listings.demo_companies.company import DemoCompany

COMPANIES = (
    DemoCompany(
        name="Tessera",
        headline="Component tokens that stay in step with design",
        summary=(
            "Tessera reads the variables from your design files and opens a pull request when they "
            "change. Designers name things once; web, iOS and Android get the same names with the "
            "right units. Drift between the file and the code is shown as a list, not discovered in a "
            "review."
        ),
        description=(
            "A colour is renamed in the design file on Tuesday, and on Friday three platforms disagree "
            "about it. Tessera sits between the two and keeps a record of every token: what it is "
            "called, where it is used, and who changed it last.\n\n"
            "When a change arrives, you get a pull request for each platform with before and after "
            "pictures of the components it touches. Nothing is merged by itself. Tokens that no "
            "component uses any more are listed once a month."
        ),
        categories=("design", "developer-tools"),
        tags=("design tokens", "design systems", "theming"),
        country="DK",
        city="Aarhus",
        founded=2025,
        team=4,
        pricing="paid",
        price_cents=2900,
        platforms=("Web", "CLI"),
        tech=("TypeScript", "Rust"),
        audience="Design system teams of two to twenty",
        alternatives=("Spreadsheets of colours", "Export scripts"),
        has_docs=True,
        socials=("github", "linkedin"),
        updates=(
            (
                "Android: Compose themes besides XML",
                (
                    "Tessera now writes Compose colour and type themes. XML resources stay, and both can be "
                    "generated side by side while you migrate."
                ),
            ),
        ),
        milestones=(
            (120, "Fifty design systems in step", "From a bank with 400 components to a two-person studio with nine."),
        ),
        makers=(
            "We keep design tokens in step, four of us, from Aarhus",
            (
                "A two-year side project that became our job. Tessera turns changes in a design file into "
                "reviewed pull requests, and we publish what we earn and what we got wrong every quarter."
            ),
        ),
    ),
    DemoCompany(
        name="Glyphyard",
        headline="Licensed fonts for a whole product team",
        summary=(
            "One subscription for 340 typefaces from 27 independent foundries, with a licence that "
            "covers web, apps, email and print. Foundries get seventy percent, split by real use. "
            "Subsets are made for the languages your product speaks."
        ),
        categories=("design",),
        tags=("fonts", "typography", "licensing"),
        country="PT",
        city="Porto",
        founded=2024,
        team=4,
        pricing="paid",
        price_cents=3500,
        platforms=("Web", "macOS", "Windows"),
        audience="Designers who have to explain licences to lawyers",
        socials=("instagram", "rss"),
        updates=(
            (
                "Greek and Cyrillic for 58 families",
                ("Six foundries finished their extensions. Subsets are made when you add the language to a project."),
            ),
        ),
        makers=(
            "Fonts from 27 small foundries, one fair licence",
            (
                "Four people between type designers and product teams. We show what every foundry earned, "
                "month by month."
            ),
        ),
    ),
    DemoCompany(
        name="Contour Lab",
        headline="Illustrations drawn to your brand, ready as SVG",
        summary=(
            "Describe a scene and get four line drawings in your own colours and stroke, as clean SVG "
            "with named layers. The style was drawn by nine illustrators who are paid for every "
            "export. Changes such as ‘turn her to the left’ are made by talking."
        ),
        categories=("design", "ai"),
        tags=("illustration", "svg", "branding"),
        country="ES",
        city="Bilbao",
        founded=2025,
        team=6,
        pricing="freemium",
        price_cents=1800,
        platforms=("Web",),
        audience="Product designers without an illustrator",
        socials=("instagram", "linkedin"),
        updates=(
            (
                "Nine hands, nine styles",
                ("Each style now carries the name of the studio that drew it, and a page on how it gets paid."),
            ),
        ),
    ),
    DemoCompany(
        name="Tallymark",
        headline="Product analytics without cookies or a consent banner",
        summary=(
            "Tallymark counts what people do in your product without storing who they are. Funnels, "
            "retention and feature use are computed from daily sums that cannot be traced back. Your "
            "lawyers get a four-page description they can sign."
        ),
        categories=("analytics", "privacy"),
        tags=("product analytics", "privacy", "gdpr", "no cookies"),
        country="AT",
        city="Graz",
        founded=2023,
        team=5,
        pricing="freemium",
        price_cents=1200,
        platforms=("Web", "iOS", "Android"),
        tech=("Go", "ClickHouse"),
        audience="Product managers in Europe",
        has_docs=True,
        socials=("mastodon", "linkedin"),
        faqs=(
            (
                "How can you measure retention without an identity?",
                (
                    "The device itself remembers in which week it first came and only tells us that week. We "
                    "never learn which device it was."
                ),
            ),
        ),
        updates=(
            (
                "Retention by first action",
                (
                    "See which first action keeps people: invite, import, or just looking around. Computed on "
                    "the device, as everything else."
                ),
            ),
        ),
        milestones=((75, "Audited", "A public audit confirmed that no identifier leaves the device."),),
        makers=(
            "We count clicks, never people",
            (
                "Five people in Graz who wanted numbers without a banner. On this page we post our own "
                "dashboards, with nothing left out."
            ),
        ),
    ),
    DemoCompany(
        name="Keyhouse",
        headline="Shared passwords and secrets for teams without an IT team",
        summary=(
            "Keyhouse keeps logins, card numbers and API keys for a small company in one place that "
            "everybody can use on the first day. Leaving colleagues lose access everywhere with one "
            "click, and you get a list of what should be changed. Encrypted on the device, audited "
            "twice."
        ),
        categories=("security",),
        tags=("passwords", "secrets", "offboarding", "encryption"),
        country="CH",
        city="Winterthur",
        founded=2022,
        team=11,
        pricing="paid",
        price_cents=400,
        platforms=("Web", "macOS", "Windows", "iOS", "Android"),
        audience="Companies of three to sixty people",
        socials=("linkedin",),
        updates=(
            (
                "Offboarding in one page",
                (
                    "Choose who leaves. Keyhouse revokes what it can, lists what must be changed by hand in "
                    "order of risk, and remembers what is done."
                ),
            ),
        ),
    ),
    DemoCompany(
        name="Moraine",
        headline="Backups of your online accounts, in files you own",
        summary=(
            "Moraine copies what you keep in forty online services into ordinary files, every night, "
            "on a disk or bucket of your own. Documents become documents, calendars become calendars. "
            "Restoring is tested once a month, and you get the result by mail."
        ),
        categories=("security", "privacy"),
        tags=("backup", "exports", "data ownership"),
        country="NO",
        city="Bergen",
        founded=2023,
        team=5,
        pricing="paid",
        price_cents=700,
        platforms=("macOS", "Windows", "Linux"),
        tech=("Rust",),
        audience="Small companies that live in the cloud",
        has_docs=True,
        socials=("github", "mastodon"),
        updates=(
            (
                "Restores are rehearsed",
                (
                    "Once a month Moraine restores a random twentieth of your files to an empty place, "
                    "compares them and tells you what it found."
                ),
            ),
        ),
    ),
)

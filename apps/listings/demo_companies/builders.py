"""Demo companies that sell to people who write software."""

from apps.listings.demo_companies.company import DemoCompany

COMPANIES = (
    DemoCompany(
        name="Parcel Post",
        headline="Transactional email with receipts people can read",
        summary=(
            "Parcel Post sends the email your product depends on: sign-ins, receipts, invoices, "
            "reminders. Every message is kept for 90 days exactly as the recipient saw it, so support "
            "can answer ‘I never got it’ in a minute. Templates are plain HTML with a preview for "
            "twelve mail programs."
        ),
        description=(
            "Most delivery services tell you that a message was accepted and leave the rest to "
            "guesswork. Parcel Post keeps a receipt for each one: when it was handed over, what the "
            "other server answered, and the message itself as it was rendered.\n\n"
            "Your support colleagues search by address or order number and see the whole thread "
            "without asking a developer. Your developers get one HTTP call, idempotent by a key of "
            "their own, and webhooks that are signed and repeated until you acknowledge them.\n\n"
            "Sending domains are set up with a checklist that tests SPF, DKIM and DMARC while you edit "
            "your zone. When a provider starts to defer your mail, you see which one and why."
        ),
        categories=("developer-tools", "communication"),
        tags=("email", "api", "deliverability", "webhooks"),
        country="NL",
        city="Utrecht",
        founded=2024,
        team=6,
        pricing="freemium",
        price_cents=1500,
        platforms=("Web", "API"),
        tech=("Elixir", "PostgreSQL"),
        audience="Product teams that send under a million messages a month",
        alternatives=("A mail server of your own", "Marketing suites with an API"),
        has_docs=True,
        socials=("github", "bluesky", "rss"),
        faqs=(
            (
                "Can I move my templates over?",
                (
                    "Yes. Templates are ordinary HTML with named placeholders. An importer reads the two most "
                    "common template languages and marks what it could not translate."
                ),
            ),
            (
                "Where are messages stored?",
                (
                    "In two data centres in the European Union. You choose how long, from one day to a year; "
                    "attachments can be left out."
                ),
            ),
            (
                "What happens when your service is down?",
                (
                    "The client libraries queue on your side and repeat with the same key, so that nothing is "
                    "sent twice."
                ),
            ),
        ),
        updates=(
            (
                "Receipts now show the recipient’s spam folder verdict",
                (
                    "Where a mailbox provider reports it, the receipt says whether the message went to the "
                    "inbox, to promotions or to spam. No tracking pixel is involved."
                ),
            ),
            (
                "Java client is out of beta",
                (
                    "After four months with nine teams the Java client is stable. It queues on disk, repeats "
                    "on its own, and needs Java 17 or later."
                ),
            ),
        ),
        milestones=(
            (210, "First million messages", "Sent by 41 teams, with a median of 1.2 seconds from call to inbox."),
            (95, "Profitable", "Two years after the first line of code, without outside money."),
        ),
    ),
    DemoCompany(
        name="Harbor",
        headline="A preview environment for every pull request",
        summary=(
            "Open a pull request and Harbor answers with an address: your whole application, with a "
            "copy of a small, anonymised database. Close it and everything is gone, including the "
            "bill. Works with the compose file you already have."
        ),
        description=(
            "Harbor reads your compose file and runs it on machines that sleep when nobody looks. A "
            "preview starts in about twenty seconds after the image is built, gets its own certificate "
            "and a database that was branched from a template you approve.\n\n"
            "Reviewers who are not developers sign in with their work address and leave notes on the "
            "page itself; the notes appear as comments in the pull request."
        ),
        categories=("developer-tools",),
        tags=("preview environments", "continuous integration", "docker", "code review"),
        country="DE",
        city="Hamburg",
        founded=2024,
        team=7,
        pricing="paid",
        price_cents=4900,
        platforms=("Web", "CLI"),
        tech=("Go", "Kubernetes"),
        audience="Teams of five to fifty developers",
        has_docs=True,
        socials=("github", "youtube"),
        faqs=(
            (
                "Do you need access to our production data?",
                (
                    "No. You give Harbor a template database once, made by a script in your repository. Harbor "
                    "never connects to production."
                ),
            ),
            (
                "What does a sleeping preview cost?",
                ("Its disk, which is a few cents a week. Processors are charged by the minute while somebody looks."),
            ),
        ),
        updates=(
            (
                "Previews wake in four seconds",
                (
                    "Sleeping previews used to take eleven seconds to wake. Memory is now kept on local disk "
                    "and mapped back in."
                ),
            ),
            (
                "Comments on the page, answers in the review",
                (
                    "Notes that colleagues leave on a preview arrive as review comments, with a picture of the "
                    "place they mean."
                ),
            ),
        ),
        milestones=((160, "100,000 previews", "The hundred-thousandth was a changed label in a footer."),),
    ),
    DemoCompany(
        name="Sluicegate",
        headline="Feature flags with an expiry date",
        summary=(
            "Every flag in Sluicegate has an owner and a last day. When the day comes, the owner gets "
            "a pull request that removes the flag and its dead branch. Evaluations happen in your "
            "process, so nothing waits for our servers."
        ),
        categories=("developer-tools",),
        tags=("feature flags", "releases", "technical debt"),
        country="SE",
        city="Malmö",
        founded=2025,
        team=3,
        pricing="freemium",
        price_cents=1900,
        platforms=("Web", "API"),
        tech=("Kotlin",),
        audience="Back-end teams with more than fifty flags",
        has_docs=True,
        socials=("github",),
    ),
    DemoCompany(
        name="Coppice",
        headline="Database branches that prune themselves",
        summary=(
            "Coppice gives every branch of your code a branch of your PostgreSQL database, copied on "
            "write in a second. Branches that nobody used for a week are cut back. It is one binary, "
            "open source, and runs next to the server you have."
        ),
        description=(
            "Long-lived test databases rot: somebody runs half a migration, and from then on every "
            "failure has two possible causes. Coppice makes a fresh one so cheap that there is no "
            "reason to share.\n\n"
            "It works on a file system with snapshots and speaks the PostgreSQL protocol to your "
            "tools, so connection strings are all that changes. A small command line and an HTTP "
            "endpoint create, list and remove branches.\n\n"
            "The core is free software under the Apache licence. Companies pay for single sign-on, "
            "audit logs and somebody who answers on a Sunday."
        ),
        categories=("open-source", "developer-tools"),
        tags=("postgresql", "branching", "testing", "self-hosted"),
        country="FR",
        city="Nantes",
        founded=2023,
        team=5,
        pricing="open_source",
        platforms=("Linux", "CLI"),
        tech=("Rust", "PostgreSQL"),
        audience="Developers who test against real data",
        has_docs=True,
        socials=("github", "mastodon", "rss"),
        updates=(
            (
                "Version 2: branches across regions",
                ("A branch can now be opened in another region than its parent. Only the blocks that are read travel."),
            ),
        ),
        milestones=(
            (300, "Version 1.0", "Eighteen months after the first commit."),
            (60, "1,000 stars and 61 contributors", "Eleven of them sent more than one patch."),
        ),
        makers=(
            "Copy-on-write PostgreSQL branches, built in the open",
            (
                "Five people and sixty contributors. We develop Coppice in public and live from support "
                "contracts, and we write down each month what those contracts asked of us."
            ),
        ),
    ),
    DemoCompany(
        name="Lanternfish",
        headline="From a slow request to the line that caused it",
        summary=(
            "Lanternfish samples your running services and keeps the slowest one percent of requests "
            "in full. Click one and read it like a story: which query, which lock, which line. The "
            "agent costs less than two percent of a core, measured and shown."
        ),
        description=(
            "Averages hide the requests that make people leave. Lanternfish throws away the fast ones "
            "and keeps the slow ones, with their stack samples, queries, locks and garbage collections "
            "on one time line.\n\n"
            "It finds requests that are slow for the same reason and puts them in one group, so that a "
            "list of ten thousand becomes a list of six. Each group links to the line in your "
            "repository at the version that was running."
        ),
        categories=("developer-tools", "analytics"),
        tags=("tracing", "performance", "profiling", "observability"),
        country="FI",
        city="Tampere",
        founded=2022,
        team=14,
        pricing="paid",
        price_cents=7900,
        platforms=("Web", "Linux"),
        tech=("C++", "ClickHouse"),
        audience="Engineers who are on call",
        has_docs=True,
        socials=("github", "linkedin", "youtube"),
        faqs=(
            (
                "Which languages are supported?",
                "Java, Kotlin, Go, Python, Ruby and everything on the .NET runtime. Node is in preview.",
            ),
        ),
        updates=(
            (
                "Groups explain themselves",
                (
                    "Every group of slow requests now starts with one sentence on what they have in common, "
                    "such as a missing index or a lock held by a nightly job."
                ),
            ),
            (
                "Python 3.13 without the extra flag",
                "The agent reads frames of 3.13 directly. The flag from last spring can go.",
            ),
        ),
        milestones=(
            (400, "Seed round", "Two funds and eleven customers took part."),
            (130, "One billion traces", "Of which 9.9 million were kept."),
        ),
    ),
    DemoCompany(
        name="Schemabook",
        headline="API documentation that fails the build when it is wrong",
        summary=(
            "Schemabook runs every example in your API documentation against a real server and refuses "
            "to publish what no longer works. Guides are written in Markdown beside the code. Readers "
            "can try each call with a key of their own."
        ),
        description=(
            "Documentation goes wrong quietly. A field is renamed, a status changes, and the guide "
            "goes on claiming the old thing until somebody complains.\n\n"
            "Schemabook treats examples as tests. They run in your pipeline against the branch that is "
            "about to be merged, and the differences are shown in the review as a change of the page. "
            "What is published is what was run."
        ),
        categories=("developer-tools", "writing"),
        tags=("api documentation", "openapi", "testing"),
        country="GB",
        city="Leeds",
        founded=2024,
        team=3,
        pricing="freemium",
        price_cents=2500,
        platforms=("Web", "CLI"),
        tech=("TypeScript",),
        audience="Teams with a public API",
        has_docs=True,
        socials=("github", "rss"),
        updates=(
            (
                "Examples in seven languages from one",
                ("Write an example as an HTTP request; Schemabook shows it in seven languages and runs each of them."),
            ),
        ),
        milestones=(
            (45, "10,000 examples run a day", "About 140 of them fail and are corrected before anybody reads them."),
        ),
        makers=(
            "Three people who test documentation for a living",
            ("We were technical writers before. Schemabook runs the examples of your guide before your readers do."),
        ),
    ),
    DemoCompany(
        name="Thornproof",
        headline="A security review of every dependency update",
        summary=(
            "Before an update of a dependency reaches your main branch, Thornproof reads the "
            "difference: new network calls, new install scripts, a new maintainer, obfuscated files. "
            "You get a verdict with the lines it rests on, and quiet updates pass by themselves."
        ),
        categories=("security", "developer-tools"),
        tags=("supply chain", "dependencies", "code review"),
        country="EE",
        city="Tartu",
        founded=2025,
        team=4,
        pricing="freemium",
        price_cents=3900,
        platforms=("Web", "CLI"),
        tech=("Rust",),
        audience="Teams that merge updates weekly",
        has_docs=True,
        socials=("github", "bluesky"),
    ),
    DemoCompany(
        name="Patchwell",
        headline="Internal tools wired from the tables you have",
        summary=(
            "Point Patchwell at a database or a spreadsheet and get screens for looking up, editing "
            "and approving, with rights by role and a log of every change. What you build can be read "
            "as a file and reviewed like code. Leave any time: the file runs without us."
        ),
        categories=("no-code", "productivity"),
        tags=("internal tools", "automation", "approvals"),
        country="PL",
        city="Wrocław",
        founded=2023,
        team=9,
        pricing="freemium",
        price_cents=800,
        platforms=("Web",),
        tech=("Python", "PostgreSQL"),
        audience="Operations teams",
        socials=("linkedin", "youtube"),
        faqs=(
            (
                "Does Patchwell copy our data?",
                (
                    "No. It queries your database through a connection you open, and keeps only the screens "
                    "and the log of changes."
                ),
            ),
        ),
        updates=(
            (
                "Approvals by email",
                (
                    "A colleague who is asked to approve can answer from the message itself. The log shows "
                    "that it was done by mail."
                ),
            ),
        ),
    ),
)

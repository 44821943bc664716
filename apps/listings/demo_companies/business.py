"""Demo companies that help other companies with money, customers and staff."""

from apps.listings.demo_companies.company import DemoCompany

COMPANIES = (
    DemoCompany(
        name="Ledgerline",
        headline="Bookkeeping for one-person companies, done by Friday",
        summary=(
            "Photograph receipts, connect the bank, and by Friday the week is booked: income, "
            "expenses, sales tax set aside. You approve a list of ten lines instead of learning "
            "accounting. At the end of the year your tax adviser gets a clean export."
        ),
        description=(
            "Ledgerline is made for people who send twelve invoices a month and would rather do "
            "anything else on Sunday. It books what it is sure about and asks about the rest in "
            "sentences: ‘Is this a laptop for work?’\n\n"
            "Every booking keeps the picture or the bank line it came from. The rules it learned are "
            "shown as a list that you can edit, and it never learns from other companies’ books.\n\n"
            "At the end of a quarter it prepares the return, shows how each number came about, and "
            "files it after you have looked."
        ),
        categories=("finance",),
        tags=("bookkeeping", "freelancers", "invoices", "tax"),
        country="IE",
        city="Galway",
        founded=2024,
        team=8,
        pricing="paid",
        price_cents=1900,
        platforms=("Web", "iOS", "Android"),
        tech=("Ruby", "PostgreSQL"),
        audience="Freelancers and one-person companies",
        alternatives=("A shoebox of receipts", "Spreadsheets"),
        socials=("linkedin", "bluesky"),
        faqs=(
            (
                "Which countries do you cover?",
                "Ireland, the Netherlands, Germany and Austria. Spain follows in spring.",
            ),
            (
                "Is there a person who looks at my books?",
                "Once a quarter, before the return is prepared. You can write to the same person all year.",
            ),
        ),
        updates=(
            (
                "Mileage without a logbook",
                (
                    "Mark a calendar entry as a business trip and Ledgerline books the distance at the "
                    "allowance of your country."
                ),
            ),
            (
                "Quarterly returns in Austria",
                (
                    "Returns for Austria can now be filed from Ledgerline, after eight months of parallel runs "
                    "with two tax advisers."
                ),
            ),
        ),
        milestones=(
            (260, "1,000 companies of one", "The thousandth is a piano tuner in Cork."),
            (80, "First filed return in Germany", ""),
        ),
    ),
    DemoCompany(
        name="Mosaic CRM",
        headline="A customer list that fills itself from your inbox",
        summary=(
            "Mosaic CRM reads the mailboxes you allow and keeps a card for each customer: who wrote "
            "last, what was promised, what is overdue. There is nothing to enter after a call. Small "
            "sales teams see on one page whom to write to today."
        ),
        categories=("sales", "communication"),
        tags=("crm", "email", "small teams", "follow-up"),
        country="ES",
        city="Valencia",
        founded=2023,
        team=12,
        pricing="freemium",
        price_cents=1400,
        platforms=("Web", "iOS", "Android"),
        audience="Sales teams of two to ten",
        alternatives=("Spreadsheets", "Large CRM suites"),
        socials=("linkedin", "youtube"),
        updates=(
            (
                "Promises, with dates",
                ("When you write ‘I will send it on Thursday’, Mosaic puts it on Thursday’s list. You can say no."),
            ),
        ),
        milestones=((190, "Second office", "Sales stays in Valencia, development moves into a room with windows."),),
    ),
    DemoCompany(
        name="Deskbell",
        headline="One support inbox, with the answer already drafted",
        summary=(
            "Deskbell collects email, chat and forms in one inbox and drafts an answer from your own "
            "help pages and past replies, with the sources beside it. Nothing is sent until a person "
            "has read it. It tells you each week which help page is missing."
        ),
        description=(
            "Good support people know the answer and lose their day to finding it. Deskbell finds it, "
            "writes it down with its sources, and leaves the last word to the person.\n\n"
            "Drafts come only from what you have published or answered before. When nothing fits, "
            "Deskbell says so and asks the right colleague. Each week it lists the questions it could "
            "not draft an answer for, grouped, with a suggested help page for each group."
        ),
        categories=("customer-support", "ai"),
        tags=("helpdesk", "shared inbox", "drafts", "knowledge base"),
        country="CA",
        city="Halifax",
        founded=2024,
        team=9,
        pricing="paid",
        price_cents=2400,
        platforms=("Web", "iOS", "Android"),
        tech=("Python", "React"),
        audience="Support teams of two to thirty",
        socials=("linkedin", "x"),
        faqs=(
            (
                "Do you train on our conversations?",
                (
                    "No. Your answers are searched, not learned from, and deleting a conversation removes it "
                    "from the search within a minute."
                ),
            ),
        ),
        updates=(
            (
                "Missing pages, ranked",
                "The weekly list of missing help pages is now ordered by the minutes they would have saved.",
            ),
            (
                "Deskbell answers in the customer’s language",
                "Drafts are written in the language of the question. You see a translation beside it.",
            ),
        ),
        milestones=((110, "Half a million drafts read", "71 percent were sent with fewer than five words changed."),),
    ),
    DemoCompany(
        name="Shelfwise",
        headline="Stock counts for shops with one back room",
        summary=(
            "Count your shelves with a phone, know what to order on Monday, and see which products "
            "only take up room. Shelfwise works offline in the cellar and sends orders as plain email "
            "that every supplier understands."
        ),
        categories=("e-commerce",),
        tags=("inventory", "retail", "ordering", "offline"),
        country="IT",
        city="Bologna",
        founded=2024,
        team=5,
        pricing="paid",
        price_cents=2900,
        platforms=("iOS", "Android", "Web"),
        audience="Independent shops",
        socials=("instagram",),
        updates=(
            (
                "Suppliers’ price lists from a photo",
                ("Photograph the list that came with the delivery; changed prices are marked for you to accept."),
            ),
        ),
    ),
    DemoCompany(
        name="Quillquote",
        headline="Quotes and proposals that clients sign on the phone",
        summary=(
            "Write a quote from blocks you have used before, send a link, and see when it was read. "
            "Clients choose options, sign with a finger and pay the deposit on the same page. The "
            "accepted quote becomes the order, word for word."
        ),
        categories=("sales", "finance"),
        tags=("quotes", "proposals", "e-signature", "deposits"),
        country="AU",
        city="Hobart",
        founded=2024,
        team=4,
        pricing="paid",
        price_cents=1700,
        platforms=("Web", "iOS"),
        audience="Trades and small agencies",
        socials=("linkedin",),
        updates=(
            (
                "Options with a price of their own",
                "Let the client tick the better taps. The total follows, and so does the order.",
            ),
        ),
    ),
    DemoCompany(
        name="Cashfold",
        headline="A cash forecast that reads your bank feed",
        summary=(
            "Cashfold shows what will be in the account in thirteen weeks, from invoices that are out, "
            "bills that come every month and how late your customers really pay. Move a salary or a "
            "large order to another week and see what it does. No spreadsheet to keep alive."
        ),
        description=(
            "The most common question in a small company is whether there is enough money in March. "
            "Cashfold answers it every morning from what the bank and the invoices say.\n\n"
            "It learns how late each customer pays and draws a band instead of a line, so that you see "
            "the bad case as well as the likely one. Scenarios are kept side by side and can be shared "
            "with the bank as a read-only page."
        ),
        categories=("finance", "analytics"),
        tags=("cash flow", "forecast", "small business", "banking"),
        country="NL",
        city="Eindhoven",
        founded=2023,
        team=10,
        pricing="paid",
        price_cents=4500,
        platforms=("Web",),
        tech=("Kotlin", "PostgreSQL"),
        audience="Owners and finance leads of companies up to 80 people",
        socials=("linkedin",),
        faqs=(
            (
                "Which banks can I connect?",
                ("About 2,300 in Europe through open banking. Statements can be uploaded from every other bank."),
            ),
        ),
        updates=(
            (
                "Scenarios you can hand to the bank",
                (
                    "Share a scenario as a read-only page with an end date. The bank sees the assumptions, not "
                    "your customers’ names."
                ),
            ),
        ),
        milestones=((150, "€1 billion under forecast", "The sum of all balances thirteen weeks ahead."),),
    ),
    DemoCompany(
        name="Roundtrip",
        headline="Returns and exchanges without the email chain",
        summary=(
            "Customers start a return on your own site, choose an exchange first, and get a label or a "
            "drop-off code. Your team sees what comes back, in which state and why. Shops that use "
            "Roundtrip turn about a third of refunds into exchanges."
        ),
        categories=("e-commerce", "customer-support"),
        tags=("returns", "exchanges", "logistics"),
        country="DE",
        city="Leipzig",
        founded=2023,
        team=8,
        pricing="paid",
        price_cents=5900,
        platforms=("Web", "API"),
        audience="Online shops with 200 to 5,000 orders a month",
        has_docs=True,
        socials=("linkedin",),
        updates=(
            (
                "Drop-off without a printer",
                "Codes for 41,000 parcel shops in nine countries. The label is printed there.",
            ),
        ),
        milestones=((220, "One hundred shops", "From running shoes to reading glasses."),),
    ),
    DemoCompany(
        name="Rankfield",
        headline="Search reports your client understands",
        summary=(
            "Rankfield turns crawls, rankings and server logs into a monthly report in plain "
            "sentences: what changed, why it matters, what to do first. Agencies put their own name on "
            "it. Everything in it links to the data it came from."
        ),
        categories=("marketing", "analytics"),
        tags=("seo", "reports", "agencies"),
        country="RO",
        city="Cluj-Napoca",
        founded=2022,
        team=7,
        pricing="paid",
        price_cents=4900,
        platforms=("Web",),
        audience="Agencies with five to fifty clients",
        socials=("linkedin", "x"),
        updates=(
            (
                "Reports say what we do not know",
                ("Where the data are too thin for a conclusion, the report now says so instead of drawing an arrow."),
            ),
        ),
    ),
    DemoCompany(
        name="Hearthrow",
        headline="Onboarding plans that new colleagues actually follow",
        summary=(
            "Hearthrow turns the document called ‘Your first weeks’ into small steps for the new "
            "colleague, the manager and IT, each on the right day. Everybody sees what is open. After "
            "ninety days you learn what was missing."
        ),
        categories=("hr",),
        tags=("onboarding", "people team", "checklists"),
        country="NO",
        city="Trondheim",
        founded=2025,
        team=3,
        pricing="paid",
        price_cents=600,
        platforms=("Web",),
        audience="Companies that hire one person a month",
    ),
    DemoCompany(
        name="Signalpost",
        headline="A whole launch campaign planned on one page",
        summary=(
            "Signalpost puts announcement, mailing, posts, press and the help page on one time line "
            "with owners and dependencies. Move the launch by a week and everything moves with it. "
            "What went out, and when, is kept for the next time."
        ),
        categories=("marketing", "productivity"),
        tags=("campaigns", "planning", "product launch"),
        country="US",
        city="Portland",
        founded=2024,
        team=5,
        pricing="freemium",
        price_cents=1200,
        platforms=("Web",),
        audience="Marketing teams of one to ten",
        socials=("linkedin", "threads"),
        updates=(
            (
                "Copy a launch",
                ("Start from the last campaign with all dates shifted. Steps that slipped last time are marked."),
            ),
        ),
    ),
    DemoCompany(
        name="Paddock Pay",
        headline="Payroll for teams in three countries or thirteen",
        summary=(
            "Pay employees in thirteen European countries from one page, with local payslips and "
            "filings made by local partners. Each month you approve one list of differences. Paddock "
            "Pay explains every line of a payslip in the employee’s language."
        ),
        categories=("hr", "finance"),
        tags=("payroll", "remote teams", "compliance"),
        country="LU",
        city="Luxembourg",
        founded=2023,
        team=17,
        pricing="paid",
        price_cents=2900,
        platforms=("Web", "API"),
        audience="Remote companies of five to one hundred people",
        has_docs=True,
        socials=("linkedin",),
    ),
    DemoCompany(
        name="Clausewell",
        headline="Contracts explained and tracked for small companies",
        summary=(
            "Upload the contracts you have signed. Clausewell lists what you owe and when: notice "
            "periods, price steps, renewals, in sentences that quote the clause. Before you sign the "
            "next one, it says what is unusual and what to ask for."
        ),
        categories=("productivity", "ai"),
        tags=("contracts", "renewals", "legal"),
        country="AT",
        city="Linz",
        founded=2024,
        team=6,
        pricing="paid",
        price_cents=2900,
        platforms=("Web",),
        audience="Managing directors without a lawyer on staff",
        socials=("linkedin",),
        faqs=(
            (
                "Is this legal advice?",
                (
                    "No. Clausewell shows what a contract says and how it differs from others. For advice it "
                    "hands the page to a lawyer you choose."
                ),
            ),
        ),
        updates=(
            (
                "Reminders that know weekends",
                (
                    "A notice that has to arrive by the last of the month now has its reminder early enough "
                    "for the post."
                ),
            ),
        ),
    ),
)

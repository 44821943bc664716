"""Demo companies for life outside the office."""

from apps.listings.demo_companies.company import DemoCompany

COMPANIES = (
    DemoCompany(
        name="Quietly",
        headline="Noise maps of every café in your city",
        summary=(
            "Quietly tells you where you can hear yourself think. Phones measure the level in "
            "decibels, never the sound itself, and the map shows each café by hour and day. Filter by "
            "sockets, opening hours and whether laptops are welcome."
        ),
        description=(
            "The idea is simple: a place that is calm at ten may be unbearable at noon. Quietly shows "
            "a curve for each day instead of one star rating.\n\n"
            "Measurements are made on the phone, which sends a single number every five minutes and "
            "nothing else. Cafés can correct their opening hours and say how they feel about laptops, "
            "but they cannot buy a place on the map.\n\n"
            "Forty-one cities are covered so well that the curves can be trusted; in others you see "
            "how many measurements are still needed."
        ),
        categories=("travel", "productivity"),
        tags=("maps", "cafés", "remote work", "noise"),
        country="PT",
        city="Lisbon",
        founded=2024,
        team=4,
        pricing="freemium",
        price_cents=300,
        platforms=("iOS", "Android", "Web"),
        audience="People who work from cafés",
        socials=("instagram", "bluesky", "mastodon"),
        faqs=(
            (
                "Does the app record what people say?",
                (
                    "No. The microphone’s level is computed on the phone and the sound is thrown away at once. "
                    "The code that does it is public."
                ),
            ),
        ),
        updates=(
            (
                "Libraries are on the map",
                "1,900 public libraries in 41 cities, with their reading rooms as separate places.",
            ),
            ("Curves by season", "Terraces change everything. A café now has a summer curve and a winter curve."),
        ),
        milestones=((180, "41 cities", "From Aarhus to Zaragoza."),),
        makers=(
            "A map of quiet cafés, made by four people in noisy flats",
            (
                "We measure decibels and nothing else. Here we write about the odd parts: fountains, "
                "coffee grinders, and how we found 1,900 libraries."
            ),
        ),
    ),
    DemoCompany(
        name="Bramble",
        headline="Dinner from what is already in the fridge",
        summary=(
            "Tell Bramble what has to be eaten and get three dinners for tonight, ordered by what "
            "would spoil first. It learns which shortcuts you take and adds only what is missing to "
            "the list. Households that use it throw away about two bags of food less a month."
        ),
        description=(
            "Recipe apps start with the recipe. Bramble starts with the half cabbage.\n\n"
            "It knows roughly how long things keep, asks when it is unsure, and suggests dinners that "
            "fit the evening you have: fifteen minutes, one pan, no oven. There are 1,400 dinners, "
            "each cooked by at least two of us, and none of them starts with a page of introduction."
        ),
        categories=("health", "productivity"),
        tags=("cooking", "food waste", "meal planning", "shopping list"),
        country="GB",
        city="Edinburgh",
        founded=2025,
        team=3,
        pricing="freemium",
        price_cents=350,
        platforms=("iOS", "Android"),
        audience="Households that cook on weekdays",
        socials=("instagram", "rss"),
        updates=(
            (
                "One list for two people",
                "Share a kitchen. What one of you puts in the basket disappears from the other’s list.",
            ),
        ),
        milestones=((70, "1,400 dinners", "Each cooked at least twice before it went in."),),
        makers=(
            "Three of us cook every recipe before it goes in",
            (
                "Bramble suggests dinner from leftovers. We write about testing 1,400 recipes in one small "
                "kitchen and about paying for it with subscriptions alone."
            ),
        ),
    ),
    DemoCompany(
        name="Slowlane",
        headline="Train-first trips across Europe, booked in one go",
        summary=(
            "Slowlane plans a journey by train, ferry and bus from door to door and books every ticket "
            "in one step. Connections are chosen by how often they really work, not by the timetable. "
            "If one is missed, we rebook the rest and tell your host."
        ),
        description=(
            "Going from Gothenburg to Bari by train is a pleasure with four tickets from four "
            "companies and a nightmare when the second one is late. Slowlane takes over the second "
            "part.\n\n"
            "We keep the arrival times of the last two years and offer only changes that worked in at "
            "least nineteen of twenty cases, unless you ask for more adventure. Seats, night berths "
            "and bicycles are booked with the ticket. While you travel, a person watches your journey "
            "and writes first."
        ),
        categories=("travel",),
        tags=("trains", "night trains", "booking", "slow travel"),
        country="SE",
        city="Gothenburg",
        founded=2022,
        team=13,
        pricing="free",
        platforms=("Web", "iOS", "Android"),
        tech=("Go",),
        audience="Travellers who would rather not fly",
        socials=("instagram", "mastodon", "youtube"),
        faqs=(
            (
                "What does it cost?",
                ("Tickets cost what the railways charge. We live from the commission that they pay, and from groups."),
            ),
            (
                "Who rebooks when I miss a connection?",
                ("We do, usually before you have left the late train. If a night has to be spent, we find the room."),
            ),
        ),
        updates=(
            (
                "Bicycles on 63 more lines",
                (
                    "You can book a place for the bicycle together with the seat on all long-distance lines in "
                    "Denmark, Austria and northern Italy."
                ),
            ),
            (
                "Night trains: who sleeps above you",
                (
                    "Choose a women’s compartment, a family compartment or simply the lower berth where the "
                    "railway tells us which is which."
                ),
            ),
        ),
        milestones=(
            (330, "First ticket from door to door", "Uppsala to Trieste, five companies, one payment."),
            (140, "10,000 journeys", "With 312 rebooked connections."),
        ),
    ),
    DemoCompany(
        name="Packlight",
        headline="Shared packing lists for group trips",
        summary=(
            "One list for the whole group: who brings the stove, who has the tent, and what five "
            "people are about to bring five times. Weights add up while you tick. Lists from past "
            "trips are kept with a note of what stayed in the bag."
        ),
        categories=("travel", "productivity"),
        tags=("packing", "group travel", "hiking"),
        country="CH",
        city="Bern",
        founded=2025,
        team=2,
        pricing="free",
        platforms=("Web", "iOS", "Android"),
        audience="Hiking groups, scouts, families",
        socials=("mastodon",),
        updates=(("What stayed in the bag", "After the trip, mark what nobody used. Next year’s list is shorter."),),
        makers=(
            "Two people, one backpack, a shared list",
            ("An evening project since 2025. No accounts, no ads; we ask for a donation once the trip is over."),
        ),
    ),
    DemoCompany(
        name="Nightjar",
        headline="Sleep tracking that stays on your phone",
        summary=(
            "Nightjar listens for movement, works out how you slept, and keeps every bit of it on your "
            "own device. There is no account and no server. Once a week it suggests one change worth "
            "trying and tells you later whether it helped."
        ),
        categories=("health", "privacy"),
        tags=("sleep", "on-device", "wellbeing"),
        country="IS",
        city="Reykjavík",
        founded=2024,
        team=3,
        pricing="paid",
        price_cents=1900,
        platforms=("iOS", "Android"),
        audience="Light sleepers",
        socials=("mastodon",),
        faqs=(
            (
                "How do you earn money without our data?",
                (
                    "You buy the app once. Larger versions are an upgrade every two years or so, which nobody "
                    "has to take."
                ),
            ),
        ),
        updates=(
            (
                "Shift work",
                ("Nights that begin at eight in the morning are nights now. Weekly advice follows your roster."),
            ),
        ),
        milestones=((90, "Sold 20,000 times", "Counted by the app stores, since there are no accounts."),),
        makers=(
            "A sleep app that has no server, from three night owls",
            (
                "What does a company know that knows nothing about its users? We write about support, "
                "pricing and testing when all the data stay on the phone."
            ),
        ),
    ),
    DemoCompany(
        name="Stillpoint",
        headline="Physiotherapy plans that patients keep to",
        summary=(
            "Therapists film an exercise once and put it into a plan; patients see today’s three "
            "exercises and say how they went. A short report before the next appointment shows what "
            "was done and where it hurt. Made with eleven practices in Vienna."
        ),
        categories=("health",),
        tags=("physiotherapy", "exercises", "practices"),
        country="AT",
        city="Vienna",
        founded=2025,
        team=5,
        pricing="paid",
        price_cents=3900,
        platforms=("iOS", "Android", "Web"),
        audience="Physiotherapy practices",
        socials=("linkedin",),
    ),
)

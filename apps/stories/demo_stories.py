"""The founder stories of the demo data; the companies in them are made up."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoStory:
    """A story for the listing `company` of the first site, with what its team's profile says.

    Without `days_ago` it is a draft. Its writer found the title at last: the first version has `first_title`.
    """

    company: str
    title: str
    sections: dict[str, str]
    role: str
    bio: str
    hue: int
    days_ago: int | None = None
    first_title: str = ""
    links: tuple[str, ...] = ()


STORIES = (
    DemoStory(
        company="bramble",
        title="We started with half a cabbage",
        role="Three founders and one kitchen",
        bio=(
            "We are three people in Edinburgh who met in a restaurant kitchen, on the side of it where "
            "the bins stand. We cook every dinner before it goes into the app."
        ),
        hue=135,
        days_ago=1,
        links=("https://bramble.example/kitchen",),
        sections={
            "how_started": (
                "All three of us worked in the same restaurant, and all three of us had the same argument "
                "at home: somebody has bought a cabbage, half of it is used, and for the next nine days "
                "everybody walks around the other half. At work nobody would have let that happen. One "
                "evening after closing we wrote down what a kitchen does differently, and it came to a "
                "single line: it cooks what is there."
            ),
            "problem": (
                "Recipes ask you to go shopping. That is lovely on a Saturday and useless on a Tuesday at "
                "half past six. We asked forty households to keep what they threw away in a box for a "
                "month and to let us look. It was not the mouldy bread we expected. It was good food that "
                "had lost its plan: herbs, half tins, cooked rice, three carrots."
            ),
            "what_built": (
                "Bramble turns the order round. You tell it what has to go, it offers three dinners for "
                "the evening you really have. The list of what you need to buy is usually two lines long. "
                "We kept the suggestions to three, because with ten of them people scroll, and while they "
                "scroll they order pizza.\n\n"
                "There are 1,400 dinners now. Each was cooked twice, once by the person who wrote it and "
                "once by somebody who was tired."
            ),
            "hard_parts": (
                "The first version asked you to enter the whole fridge. Nobody did it twice. We were quite "
                "proud of that screen, with its little shelves, and it took us four months to admit that "
                "it had to go. Now you name two or three things and we guess the rest from what you cooked "
                "last week. It is wrong now and then, and nobody minds, because a wrong guess costs one "
                "tap."
            ),
            "milestones": (
                "In spring we had two thousand households, in autumn eleven thousand. The number we look "
                "at is another one: how many bags go into the bin. Two fewer a month, on average, for "
                "people who stay longer than six weeks. A school canteen wrote to us in October and we "
                "have said yes, rather nervously."
            ),
            "whats_next": (
                "A version for shared flats, where the question is not what to cook but whose cheese it "
                "is. We have no idea yet how to solve that. We only know that it is the question we are "
                "asked most, usually by people who have just moved in together."
            ),
        },
    ),
    DemoStory(
        company="harbor",
        title="Twenty seconds, or nobody waits",
        role="Founders",
        bio=(
            "Seven engineers in Hamburg. We ran the build machines of a shipping company for six "
            "years, and learned there what people do while they wait for a computer."
        ),
        hue=215,
        days_ago=3,
        first_title="Why a preview must be there in twenty seconds",
        links=("https://harbor.example/outages", "https://github.com/harbor-example"),
        sections={
            "how_started": (
                "We kept the build machines running at a company with ninety developers. One number "
                "followed us around: eleven minutes. That was how long it took to get a branch onto the "
                "shared test server, if the server was free. It was never free. There was a channel in the "
                "chat only for asking who was using it.\n\n"
                "In 2023 somebody deleted that channel for fun. Within an hour it was back, under three "
                "names."
            ),
            "problem": (
                "A change is easy to judge when you can click on it and hard when you can only read it. "
                "Everybody knows that. Still most teams review by reading, because the alternative takes "
                "too long. We measured at four companies. When a preview took more than a minute, one "
                "reviewer in ten opened it. Under thirty seconds it was seven in ten. There was not much "
                "in between."
            ),
            "what_built": (
                "So there was one requirement: twenty seconds from the finished image to a page that "
                "answers. Everything else followed. Images are streamed while they start. Databases are "
                "branched, not copied. Machines sleep with their memory on local disk instead of being "
                "shut down.\n\n"
                "We read the compose file that is already in the repository. We invented no format of our "
                "own. It was tempting, and it would have been the end."
            ),
            "hard_parts": (
                "Money. A preview that is forgotten on Friday runs all weekend, and for the first year we "
                "paid for those weekends. Our largest invoice was for a branch named ‘test-do-not-merge’ "
                "with four graphics cards. Sleep fixed it, but getting a database to sleep without "
                "corrupting it took us from March to August. We lost a customer over it, wrote to them "
                "what had happened, and they came back in the winter."
            ),
            "milestones": (
                "We made the hundred-thousandth preview this summer. The median start is at 19 seconds. We "
                "have 140 teams, no investors, and a page that shows every outage since the first day. "
                "There are fourteen on it. Three were caused by the same certificate."
            ),
            "whats_next": (
                "Mobile apps. The same idea, with a phone in the browser instead of a page. It starts in "
                "48 seconds at the moment. We know where 20 of them go and have a guess about eight more. "
                "We will announce it when the number is 20."
            ),
        },
    ),
    DemoStory(
        company="rookery",
        title="A video call that belongs to the people in it",
        role="A cooperative of 430 members",
        bio=(
            "Rookery is a cooperative in Leuven with eight employees and 430 members: schools, choirs, "
            "clinics and small companies that run their own video calls and decide together what comes "
            "next."
        ),
        hue=290,
        days_ago=12,
        links=("https://rookery.example/members",),
        sections={
            "how_started": (
                "It began with a letter. In 2020 a network of schools was informed that its video calls "
                "would from now on pass through another continent, and that it might object within "
                "fourteen days. The network’s two administrators did object. Then they sat down to see "
                "whether one could do without the sender of the letter altogether. After three weekends "
                "there was a server in a broom cupboard that carried one class. After three months it "
                "carried nine schools."
            ),
            "problem": (
                "Most people who meet on video neither own nor know the machine between them. That is "
                "comfortable until the price doubles, the terms change, or the company is sold. There was "
                "free software before us, good software too. But it asked for an administrator with "
                "patience, and most schools share one administrator with the town’s swimming pool."
            ),
            "what_built": (
                "We built a package that installs in ten minutes and afterwards leaves you alone. It "
                "forwards pictures instead of computing them, so four cores serve fifty people. Updates do "
                "not interrupt calls. There is no telemetry, which means that we learn about problems the "
                "old way: people ring us up."
            ),
            "hard_parts": (
                "The software was the smaller part. Being a cooperative means that the choir from Ghent "
                "has the same vote as the hospital. Our first assembly lasted seven hours and ended with a "
                "decision against virtual backgrounds, by two votes. Some of us found that absurd. But "
                "everybody in the room understood afterwards what four weeks of work are and who pays for "
                "them, and no product manager has ever managed that for us.\n\n"
                "The other hard part was to charge. For two years we lived from donations and were always "
                "nine weeks from the end. Since membership costs money, we have members."
            ),
            "milestones": (
                "Nine hundred installations have told us that they exist. A hundred and twelve members "
                "founded the cooperative a year ago, now there are 430. Eight people have contracts "
                "without an end date. Version 5 survives a restart in the middle of a call, which took two "
                "winters."
            ),
            "whats_next": (
                "Captions in eleven languages, computed on the server in the broom cupboard. The members "
                "asked for it with a majority that we have not seen before or since, and three schools for "
                "deaf children are testing every build and tell us each Friday what was wrong."
            ),
        },
    ),
    DemoStory(
        company="slowlane",
        title="The 6:52 to Trieste, and what happens when it is late",
        role="Founding team",
        bio=(
            "Thirteen people in Gothenburg, among them two former dispatchers, a ferry purser and "
            "somebody who has changed trains in Ventimiglia more often than is good for anyone."
        ),
        hue=20,
        days_ago=7,
        sections={
            "how_started": (
                "Two of us wanted to go to a wedding in Bari, by train, for no better reason than that we "
                "like trains. We had four tickets from four companies. In Munich we were nine minutes "
                "late. The rest of the night was a lesson: each of the four companies had done its part, "
                "and nobody was responsible for the gap between them. We arrived for the cake."
            ),
            "problem": (
                "Anybody can show you a timetable. What nobody tells you is which changes work. We bought, "
                "begged and wrote down two years of real arrival times and found that every fifth "
                "connection the planners offer fails at least one time in four. Travellers feel that "
                "without knowing the number. So they fly."
            ),
            "what_built": (
                "Slowlane sells the whole journey as one thing. We offer only changes that worked in "
                "nineteen of twenty cases, we buy every ticket in one step, and while you travel somebody "
                "at our desk watches. If the 6:52 is late, you get a message with your new seat before the "
                "conductor has found the microphone.\n\n"
                "For the first year that desk was a kitchen table, and the somebody was one of us."
            ),
            "hard_parts": (
                "Railways do not have one door to knock on. One sends us seat maps as pictures. One "
                "answers only on weekdays. One has an excellent interface that nobody at the company "
                "remembers building. We stopped waiting for a standard and hired a purser, who knows how "
                "to ask.\n\n"
                "The other hard thing was to say no. There is a beautiful connection in Villach with four "
                "minutes. It works in summer. We do not sell it, and we get a complaint every week."
            ),
            "milestones": (
                "Ten thousand journeys, 312 of them rebooked on the way, eleven nights in hotels that we "
                "paid for. The longest journey so far went from Narvik to Palermo, with a cello. The best "
                "message we got said only: ‘Slept through the problem, thank you.’"
            ),
            "whats_next": (
                "Groups. A school class with thirty bicycles is the hardest thing that a railway can be "
                "asked for, so of course that is what we want to be good at by the summer. Two schools in "
                "Skåne have agreed to be first."
            ),
        },
    ),
    DemoStory(
        company="sundial",
        title="I stopped planning at four in the afternoon",
        role="Founder",
        bio="",
        hue=265,
        days_ago=5,
        first_title="My calendar was a disaster",
        sections={
            "how_started": (
                "For ten years I made calendars for other people’s companies, and my own was a disaster. I "
                "had every task in it, each with a time, and by Wednesday none of it was true any more. "
                "One winter I began to write down how each hour had felt, from one to five. After two "
                "weeks I looked at the list and laughed: I had been planning my hardest work for the hour "
                "in which I am least able to find my own glasses."
            ),
            "problem": (
                "Calendars know when you are free. They do not know when you are any good. Nine o’clock "
                "and four o’clock are the same rectangle, so they get filled in the order in which people "
                "ask. If you are polite, strangers end up with your best hours and the work you care about "
                "gets what is left."
            ),
            "what_built": (
                "Sundial asks you for two weeks how an hour was, with one tap, and draws your day as a "
                "curve. Then it moves things: hard tasks to the top of the curve, errands to the bottom, "
                "and for invitations it offers two times at which you will be better company. It works "
                "with the calendar you already have. I store the curve and the task list, and that is all."
            ),
            "hard_parts": (
                "Doing it alone. There is nobody to tell you that a feature is nonsense, so I built three "
                "that were. The worst moved appointments without asking. I believed that people would be "
                "grateful. On the first morning I got eleven messages, one of them from my dentist.\n\n"
                "Now I describe each feature in an email to ten customers before I write a line of it. If "
                "nobody answers, I do not build it. It has saved me about half a year."
            ),
            "milestones": (
                "The first person who paid was a translator who works at five in the morning and wanted a "
                "calendar that believed her. That was in June. Since October there are three hundred, "
                "which pays my rent and a desk in a room with other people. I answer support until noon, "
                "because that is where my curve says I am patient."
            ),
            "whats_next": (
                "Teams of two. Couples, mostly, and pairs who run a shop together. I have been asked for a "
                "version for large companies as well. The offer was kind, I looked at my curve, and I said "
                "no. Three hundred people a year more would do."
            ),
        },
    ),
    DemoStory(
        company="marginalia",
        title="Pencil in the margin",
        role="Founder",
        bio="",
        hue=265,
        sections={
            "how_started": (
                "My grandmother read with a pencil. When I got her books, I read her notes first and the novels "
                "later. On page 212 of one of them she had written only: ‘No, you do not.’ I have been looking "
                "for the other half of that conversation ever since, and at some point I noticed that my own "
                "notes were in four apps, of which two are gone."
            ),
            "problem": (
                "What you write beside a text belongs to the shop that sold you the text. It moves with the shop "
                "or ends with it."
            ),
        },
    ),
)

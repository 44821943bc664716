"""What founders of the demo data answered: by account, and by the question's place among the site's own."""

from collections.abc import Mapping

from apps.accounts import demo as accounts
from apps.sites.demo import DEFAULT, MAKERS

INTERVIEWS: Mapping[str, Mapping[str, Mapping[int, str]]] = {
    DEFAULT: {
        accounts.OWNER: {
            0: "It is a calendar that knows at which hours you think well, and keeps strangers out of them.",
            4: (
                "I let it move appointments without asking. Eleven people wrote on the first morning.\n\n"
                "What I noticed later is that all eleven would have said yes, had they been asked. So the feature is "
                "still there. It has a question mark now."
            ),
            7: "I describe a feature to ten customers first. If nobody answers, it does not get built.",
            8: "Code until eleven, messages until noon, a walk, and then what is hard to do badly: invoices.",
            9: "How many people opened their day again after lunch. A curve helps only those who look at it.",
        },
        "bramble": {
            2: "A neighbour with twins. She said: three suggestions are enough, I have two hands.",
            5: "The guess of what is left from last week. It is wrong now and then, and we decided to let it be wrong.",
            11: "A kitchen of our own that does not close at four. We cook in the one of a school at the moment.",
        },
        "harbor": {
            3: "They wrote ‘looks good to me’ without having looked. We know because we did.",
            9: "The median start of a preview, in seconds. It hangs on the wall, and nobody may round it.",
            10: "Publish your outages from the first day, like https://harbor.example/outages. Later it takes courage.",
        },
    },
    MAKERS: {
        "bramble": {
            0: "You say what has to be eaten, it says what is for dinner.",
            2: "A neighbour with twins. She said: three suggestions are enough, I have two hands.",
        },
        "rookery": {
            5: "Updating a server in the middle of a call. It took two winters and a whiteboard nobody may wipe.",
            9: "Members, and how many of them came to the last assembly.",
        },
        "packlight": {
            10: "Do it, but do not ask people for an account. Ask them what stayed in the bag.",
        },
    },
}

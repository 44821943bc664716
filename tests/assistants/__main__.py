"""Seat assistants at thirty tasks: a reader has to do them, and damaged ones may do no harm.

usage: python -m tests.assistants [--runs 1000] [--model URL --name NAME]
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import httpx2

from tests.assistants.client import ToolClient
from tests.assistants.damaged import seats
from tests.assistants.goals import TASKS, Task
from tests.assistants.installation import Installation, harm, installation
from tests.assistants.model import Model
from tests.assistants.reader import Goal, Reader, StuckError

# A run mostly waits for the installation, which has two processors.
_AT_A_TIME = 4
LEAST_DONE = 27
MOST_CALLS = 1.5


class Planner(Protocol):
    """The planner that works on a goal."""

    def run(self) -> None: ...


class MakesPlanner(Protocol):
    """Makes a planner for one goal."""

    def __call__(self, client: ToolClient, goal: Goal) -> Planner: ...


@dataclass(frozen=True)
class Run:
    """How one planner did at one task."""

    planner: str
    task: Task
    is_done: bool
    calls: int
    harm: Sequence[str]
    note: str = ""

    def line(self) -> str:
        sign = "done" if self.is_done else "open"
        return f"{sign}  {self.calls:2} calls ({self.task.fewest})  {self.task.text}  {self.note}".rstrip()


def play(place: Installation, task: Task, make: MakesPlanner, *, name: str) -> Run:
    """Let a planner work on a task for an account of its own, and look at the result from outside."""
    owner, key = place.owner(task)
    client = ToolClient(place.mcp_url, key)
    note = ""
    try:
        make(client, task.goal(owner)).run()
    except StuckError as error:
        note = f"stuck: {error}"
    answers = client.answers
    try:
        is_done = bool(answers and task.is_done(owner, answers[-1]))
    except (KeyError, IndexError, ValueError, TypeError, httpx2.HTTPStatusError) as error:
        # A planner that did something else leaves answers and listings without what the task looks for.
        is_done, note = False, note or f"unexpected end: {type(error).__name__} {error}"
    done = Run(name, task, is_done, len(answers), harm(owner, task, answers), note)
    client.close()
    owner.rest.close()
    return done


def score_reader(place: Installation, make: MakesPlanner, tasks: Sequence[Task], *, name: str = "Reader") -> list[Run]:
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        return list(pool.map(lambda task: play(place, task, make, name=name), tasks))


def score_damaged(place: Installation, runs: int, tasks: Sequence[Task]) -> list[Run]:
    def sit(seat: tuple[type, int, int]) -> Run:
        planner, index, seed = seat
        return play(place, tasks[index], lambda client, goal: planner(client, goal, seed=seed), name=planner.__name__)

    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        return list(pool.map(sit, seats(runs, len(tasks))))


def ratio(runs: Sequence[Run]) -> float:
    """Calls of the tasks that were done, by the fewest that they take."""
    done = [run for run in runs if run.is_done]
    return sum(run.calls for run in done) / max(sum(run.task.fewest for run in done), 1)


def table(runs: Sequence[Run]) -> str:
    """A line for each planner: tasks, done, calls and harm."""
    rows = ["planner      runs  done  calls by fewest  harm"]
    for name in dict.fromkeys(run.planner for run in runs):
        mine = [run for run in runs if run.planner == name]
        done = sum(run.is_done for run in mine)
        harmed = sum(bool(run.harm) for run in mine)
        rows.append(f"{name:<12} {len(mine):4}  {done:4}  {ratio(mine):15.2f}  {harmed:4}")
    harms = Counter(f"{run.planner}: {what}" for run in runs for what in run.harm)
    return "\n".join([*rows, *(f"  {count} x {what}" for what, count in harms.most_common())])


def main() -> int:
    """Return 0 if the reader did enough in few enough calls, and nobody did harm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="runs of damaged planners")
    parser.add_argument("--model", help="base URL of an OpenAI-compatible API; its model works on the tasks instead")
    parser.add_argument("--name", default="default", help="the model's name there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="slipway-assistants-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with installation(folder, websites=len(TASKS) + options.runs) as place:
            if options.model:
                make: MakesPlanner = lambda client, goal: Model(client, goal, url=options.model, name=options.name)  # noqa: E731
                runs = score_reader(place, make, TASKS, name="model")
            else:
                runs = score_reader(place, Reader, TASKS)
            for run in runs:
                sys.stdout.write(run.line() + "\n")
            done = sum(run.is_done for run in runs)
            enough = done >= LEAST_DONE and ratio(runs) <= MOST_CALLS
            damaged = [] if options.model else score_damaged(place, options.runs, TASKS)
    sys.stdout.write(table([*runs, *damaged]) + "\n")
    return 0 if enough and not any(run.harm for run in (*runs, *damaged)) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Where batches are graded: a pool of processes on this machine, or a Dask cluster.

Both take an iterable of tasks and yield (task, records) in the order they end, with only as many
tasks under way as keep the workers busy, so that memory does not grow with the class.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.queues import SimpleQueue
from typing import Any, Protocol

from autograded.errors import AutogradedError
from autograded.gradebook import server, tasks
from autograded.gradebook.store import Record
from autograded.gradebook.tasks import Task
from autograded.machine import cores

Outcomes = list[Record | str]

_AHEAD = 2  # tasks under way for each worker: one at work, one waiting
_LIVES = 3  # how often a task may be under way when a process dies


class Executor(Protocol):
    """Runs tasks somewhere; `width` is how many at once."""

    width: int

    def run(self, work: Iterable[Task]) -> Iterator[tuple[Task, Outcomes]]:
        """Yield each task with its outcomes, as they end."""


class LocalPool:
    """Processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self.width = jobs
        # A server process imports torch once; workers are forked from it. Forking from this
        # process instead would carry its threads and open database into them.
        self._context = server.context()

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.width,
            mp_context=self._context,
            initializer=tasks.prepare_worker,
            initargs=(self._cores(),),
        )

    def _cores(self) -> SimpleQueue[int] | None:
        """A core for each process, when there are as many: the whole machine is ours then."""
        if len(cores()) != self.width or not hasattr(os, "sched_setaffinity"):
            return None
        queue: SimpleQueue[int] = self._context.SimpleQueue()
        for core in cores():
            queue.put(core)
        return queue

    def run(self, work: Iterable[Task]) -> Iterator[tuple[Task, Outcomes]]:
        """Run tasks; those under way when a process is killed are run again."""
        waiting = iter(work)
        again: list[tuple[Task, int]] = []
        while True:
            pool = self._pool()
            under_way: dict[Future[Outcomes], tuple[Task, int]] = {}
            try:
                yield from self._drain(pool, waiting, again, under_way)
                return
            except BrokenProcessPool:
                # Nobody can tell which of them it was: each is run again, alone in its turn.
                again = [(task, lives - 1) for task, lives in under_way.values()] + again
                worn_out = [task for task, lives in again if lives <= 0]
                again = [(task, lives) for task, lives in again if lives > 0]
                for task in worn_out:
                    yield (
                        task,
                        ["a grading process was killed each time it came to this one"]
                        * len(task.items),
                    )
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def _drain(
        self,
        pool: ProcessPoolExecutor,
        waiting: Iterator[Task],
        again: list[tuple[Task, int]],
        under_way: dict[Future[Outcomes], tuple[Task, int]],
    ) -> Iterator[tuple[Task, Outcomes]]:
        while True:
            while len(under_way) < self.width * _AHEAD:
                following = again.pop(0) if again else _next(waiting)
                if following is None:
                    break
                try:
                    under_way[pool.submit(tasks.run, following[0])] = following
                except BrokenProcessPool:
                    again.append(following)
                    raise
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                outcomes = future.result()
                task, _ = under_way.pop(future)
                yield task, outcomes


def _next(waiting: Iterator[Task]) -> tuple[Task, int] | None:
    task = next(waiting, None)
    return None if task is None else (task, _LIVES)


class DaskCluster:
    """Workers of a Dask cluster, wherever they are; they need this package installed."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise AutogradedError(
                "A cluster needs Dask: pip install 'autograded[cluster]'."
            ) from None
        try:
            self._client = Client(address, timeout="20s", set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise AutogradedError(
                f"There is no Dask scheduler at {address} ({error}); "
                "start one with `dask scheduler`."
            ) from error
        self.width = max(1, sum(self._client.nthreads().values()))

    def run(self, work: Iterable[Task]) -> Iterator[tuple[Task, Outcomes]]:
        """Run tasks; those of a worker that is lost are run again by others."""
        from distributed import as_completed

        waiting = iter(work)
        ahead = max(2, self.width * _AHEAD)
        under_way: dict[Any, Task] = {}
        try:
            first = [self._submit(task) for task in islice(waiting, ahead)]
            under_way = dict(first)
            completed = as_completed([future for future, _ in first], loop=self._client.loop)
            for future in completed:
                task = under_way.pop(future)
                try:
                    outcomes: Outcomes = future.result()
                except Exception as error:  # noqa: BLE001 - whatever a worker sends back
                    outcomes = [f"the cluster could not grade it: {error}"] * len(task.items)
                following = next(waiting, None)
                if following is not None:
                    added, _ = self._submit(following)
                    under_way[added] = following
                    completed.add(added)
                yield task, outcomes
        finally:
            self._client.cancel(list(under_way))
            self._client.close()

    def _submit(self, task: Task) -> tuple[Any, Task]:
        return self._client.submit(tasks.run, task, pure=False, retries=_LIVES), task

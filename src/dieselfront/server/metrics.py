"""What an operator's Prometheus reads at /metrics: counters of this process, without names, tokens or addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

if TYPE_CHECKING:
    from dieselfront.server.forwarding import Forwarding
    from dieselfront.server.games import Games
    from dieselfront.server.guard import Visitors
    from dieselfront.server.loop_watch import LoopWatch

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Reads the server's own counters when it is asked."""

    def __init__(self, games: Games, visitors: Visitors, watch: LoopWatch, version: str) -> None:
        self.games = games
        self.visitors = visitors
        self.watch = watch
        self.version = version
        self.forwarding: Forwarding | None = None
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)

    def page(self) -> bytes:
        """Everything in Prometheus's format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """What the registry asks for."""
        yield self._info()
        yield from self._of_games()
        yield from self._of_work()
        yield from self._of_processes()
        answers = CounterMetricFamily("dieselfront_http_answers", "HTTP answers by status.", labels=["status"])
        for status, count in sorted(self.visitors.answers.items()):
            answers.add_metric([str(status)], count)
        yield answers
        yield HistogramMetricFamily(
            "dieselfront_event_loop_stall_seconds",
            "Processor time between two beats of the event loop.",
            buckets=self.watch.buckets(),
            sum_value=self.watch.total,
        )
        yield _gauge("event_loop_longest_stall_seconds", "The longest of them since the start.", self.watch.longest)

    def _info(self) -> Metric:
        info = GaugeMetricFamily("dieselfront_info", "Always 1; the version of the program.", labels=["version"])
        info.add_metric([self.version], 1.0)
        return info

    def _of_games(self) -> Iterator[Metric]:
        games, storage = self.games, self.games.storage
        yield _gauge("games_in_memory", "Games kept ready.", games.in_memory)
        yield _gauge("games_visited", "Games with somebody connected.", games.visited)
        yield _gauge("sockets", "Open WebSockets.", sum(self.visitors.sockets.values()))
        yield _gauge("computers_thinking", "Games in which a computer thinks now.", games.thinking)
        yield _gauge("games_archiving", "Finished games whose frames are to be kept.", games.archiving)
        yield _counter("computers_killed", "Computer players' processes replaced.", games.thinkers.killed)
        yield _counter("journal_entries", "Choices and other changes kept since the start.", storage.entries)
        yield _counter("commits", "Commits since the start.", storage.commits)
        yield _counter("storage_failures", "Times the database refused or was away.", storage.failures)
        yield _counter("webhooks_sent", "Notifications delivered.", games.webhooks.sent)
        yield _counter("webhooks_failed", "Notifications given up.", games.webhooks.failed)
        yield _gauge("webhooks_waiting", "Notifications that wait for their turn.", games.webhooks.slots.waiting)

    def _of_processes(self) -> Iterator[Metric]:
        requests, sockets = (self.forwarding.requests, self.forwarding.sockets) if self.forwarding else (0, 0)
        yield _counter("requests_forwarded", "Requests passed on to other processes.", requests)
        yield _gauge("sockets_forwarded", "Sockets passed on to other processes.", sockets)
        yield _counter("times_given_up", "How often the others took this process for dead.", self.games.owners.lost)

    def _of_work(self) -> Iterator[Metric]:
        work = self.games.long_work
        yield _gauge("long_work_busy", "Odds, previews, prints, replays being worked out.", work.busy)
        yield _gauge("long_work_waiting", "Those that wait for their turn.", work.waiting)
        yield _counter("long_work_done", "Those finished since the start.", work.done)
        yield _counter("long_work_killed", "Those killed: too long, too large, or nobody waited.", work.killed)


def _gauge(name: str, text: str, value: Any) -> Metric:
    return GaugeMetricFamily(f"dieselfront_{name}", text, value=float(value))


def _counter(name: str, text: str, value: Any) -> Metric:
    return CounterMetricFamily(f"dieselfront_{name}", text, value=float(value))


__all__ = ["CONTENT_TYPE", "Metrics"]

"""A circuit breaker: after some failures in a row nothing is sent for a while, then one request tries."""

import threading
from collections.abc import Callable


class Breaker:
    """Counts failures in a row over all threads.

    ``limit`` failures open it for ``rest`` seconds. Then one request is let through: its success closes the breaker,
    its failure opens it again. ``clock`` gives seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float], limit: int = 5, rest: float = 60.0) -> None:
        self._clock, self._limit, self._rest = clock, limit, rest
        self._failures = 0
        self._until = 0.0
        self._trying = False
        self._lock = threading.Lock()

    def lets_through(self) -> bool:
        """Whether a request may be sent now. Who is told yes reports back with `succeeded` or `failed`."""
        with self._lock:
            if self._failures < self._limit:
                return True
            if self._clock() < self._until or self._trying:
                return False
            self._trying = True
            return True

    def succeeded(self) -> None:
        """A request was answered, be it with a refusal: the server is there."""
        with self._lock:
            self._failures, self._trying = 0, False

    def failed(self) -> None:
        """A request came to nothing."""
        with self._lock:
            self._failures += 1
            self._trying = False
            if self._failures >= self._limit:
                self._until = self._clock() + self._rest

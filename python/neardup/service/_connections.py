"""Connections to one server that are kept open between calls, for any number of threads."""

from __future__ import annotations

import http.client
import os
import select
import ssl
import threading

_MAX_IDLE = 32


class Connections:
    """Open connections that no call uses at the moment, the latest used first.

    A process made by fork() begins with none: it must not write into those of its parent.
    """

    def __init__(self, host: str, port: int, context: ssl.SSLContext | None, timeout: float) -> None:
        """With a context connections are encrypted."""
        self._host, self._port, self._context, self._timeout = host, port, context, timeout
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPConnection] = []
        self._process = os.getpid()

    def open(self, timeout: float | None) -> http.client.HTTPConnection:
        """A new connection. Raises OSError."""
        seconds = self._timeout if timeout is None else timeout
        made: http.client.HTTPConnection
        if self._context is None:
            made = http.client.HTTPConnection(self._host, self._port, timeout=seconds)
        else:
            made = http.client.HTTPSConnection(self._host, self._port, timeout=seconds, context=self._context)
        try:
            made.connect()
        except BaseException:
            made.close()
            raise
        return made

    def take(self, timeout: float | None) -> http.client.HTTPConnection | None:
        """An idle connection that the server has not closed; None if there is none."""
        while True:
            with self._lock:
                if self._process != os.getpid():
                    self._idle, self._process = [], os.getpid()
                if not self._idle:
                    return None
                kept = self._idle.pop()
            if not _is_quiet(kept):
                kept.close()
                continue
            kept.sock.settimeout(self._timeout if timeout is None else timeout)
            return kept

    def give(self, connection: http.client.HTTPConnection) -> None:
        """After a call: keeps the connection for the next one, if it can be used again."""
        with self._lock:
            if connection.sock is not None and len(self._idle) < _MAX_IDLE and self._process == os.getpid():
                self._idle.append(connection)
                return
        connection.close()

    def close_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


def _is_quiet(connection: http.client.HTTPConnection) -> bool:
    """Between calls a server sends nothing: what can be read then is the end of the connection."""
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return not poll.poll(0)

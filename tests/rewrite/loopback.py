"""A chat completions server on this machine's own address that misbehaves as it is told to."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behave = Callable[["Handler", dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server: Any = self.server
        with server.lock:
            server.asked.append(body)
            behave = server.script.pop(0) if server.script else server.default
        try:
            behave(self, body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def send(self, status: int, body: bytes, headers: dict[str, str] | None = None, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


def completion(text: str = "done", model: str = "coder", finish: str = "stop") -> bytes:
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    said = {"id": "1", "object": "chat.completion", "created": 0, "model": model, "choices": [choice], "usage": usage}
    return json.dumps(said).encode()


def answers(text: str = "done", **rest: str) -> Behave:
    return lambda handler, body: handler.send(200, completion(text, **rest))


def status(code: int, headers: dict[str, str] | None = None, message: str = "no") -> Behave:
    said = json.dumps({"error": {"message": message, "type": "x"}}).encode()
    return lambda handler, body: handler.send(code, said, headers)


def cut_off(handler: Handler, body: dict[str, Any]) -> None:
    text = completion("a long answer that never comes to its end")
    handler.send(200, text[: len(text) // 2], length=len(text))
    handler.close_connection = True


@contextmanager
def serving(*script: Behave, default: Behave | None = None) -> Iterator[Any]:
    """A server that answers request after request as the script says, then by default; ``url`` and ``asked`` on it."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.script, server.default, server.asked = list(script), default or answers(), []
    server.lock = threading.Lock()
    server.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

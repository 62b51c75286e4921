"""The fake API behind a real socket, for gateways that run as processes of their own."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from tests.gateway.fake_api import FakeApi


@contextmanager
def served(api: FakeApi) -> Generator[str]:
    """Serve the fake on a free port of loopback; its base URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65_536

        def answer(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            response = api.answer(
                httpx.Request(
                    self.command,
                    f"http://{self.headers['host']}{self.path}",
                    headers=list(self.headers.items()),
                    content=self.rfile.read(length),
                )
            )
            self.send_response(response.status_code)
            for name, value in response.headers.items():
                self.send_header(name, value)
            if response.status_code != 204 and "content-length" not in response.headers:
                self.send_header("content-length", "0")
            self.end_headers()
            self.wfile.write(response.content)

        do_GET = do_POST = do_PATCH = do_DELETE = answer  # noqa: N815

        def log_request(self, code: object = "-", size: object = "-") -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""Connections to OpenSearch, signed in AWS, and what its errors mean."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Protocol, cast

from opensearchpy import OpenSearch, Urllib3AWSV4SignerAuth
from opensearchpy.exceptions import OpenSearchException, TransportError

from omoide.domain.errors import UnavailableError

SERVICE = "es"
"""Name under which Amazon OpenSearch Service checks signatures."""

REQUEST_TIMEOUT_S = 30.0
_CONNECTIONS = 8
_LOGGER = logging.getLogger(__name__)


class Credentials(Protocol):
    """AWS credentials as botocore holds them."""

    @property
    def access_key(self) -> str | None:
        """Id of the key."""
        ...

    @property
    def secret_key(self) -> str | None:
        """The key."""
        ...

    @property
    def token(self) -> str | None:
        """The session it belongs to."""
        ...


def connect(url: str) -> OpenSearch:
    """A client without authentication, for a node on the loopback interface.

    Args:
        url: Such as ``http://127.0.0.1:9200``.
    """
    return _client(url, None)


def connect_signed(url: str, *, region: str, credentials: Credentials) -> OpenSearch:
    """A client whose requests carry an AWS signature (SigV4).

    Args:
        url: The endpoint of the domain.
        region: Where it is.
        credentials: Read anew for each request, so that they may be refreshed.
    """
    return _client(url, Urllib3AWSV4SignerAuth(credentials, region, SERVICE))


def connect_in_aws(url: str, *, region: str) -> OpenSearch:
    """A client that signs with the credentials of the environment, such as a function's role.

    Raises:
        UnavailableError: There are no credentials.
    """
    from botocore.session import (  # pyright: ignore[reportMissingTypeStubs]
        Session,
    )

    credentials = cast("Any", Session()).get_credentials()
    if credentials is None:
        raise UnavailableError("there are no AWS credentials to sign requests with")
    return connect_signed(url, region=region, credentials=credentials)


def _client(url: str, authentication: object) -> OpenSearch:
    return OpenSearch(
        url,
        http_auth=authentication,
        http_compress=url.startswith("https:"),
        pool_maxsize=_CONNECTIONS,
        timeout=REQUEST_TIMEOUT_S,
        max_retries=0,
        retry_on_timeout=False,
    )


@contextmanager
def translated_errors() -> Generator[None, None, None]:
    """Turn errors of the client into ours.

    Raises:
        UnavailableError: Whatever went wrong; the log has the kind of error.
    """
    try:
        yield
    except TransportError as error:
        _LOGGER.warning("OpenSearch refused a request: %s %s", error.status_code, error.error)
        raise UnavailableError("the search index cannot be reached") from error
    except OpenSearchException as error:
        _LOGGER.warning("OpenSearch failed: %s", type(error).__name__)
        raise UnavailableError("the search index cannot be reached") from error

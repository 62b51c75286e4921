"""POST, GET and DELETE /v1/keys: make, list and revoke API keys."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall
from omoide.api.fields import show_time
from omoide.api.native.key_models import KeyRequest
from omoide.api.native.query_models import NoQuery
from omoide.api.responses import empty_response, json_response
from omoide.api.shapes import Shape
from omoide.domain.errors import InvalidRequestError
from omoide.domain.principal import Principal, Scope
from omoide.ports.keys import ApiKey
from omoide.services.manage_keys import CreatedKey, NewKey

_KEY_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateKeyCall:
    """A key to be made."""

    principal: Principal
    new: NewKey

    def answer(self, created: CreatedKey) -> Response[str]:
        """The key and, this once, its token."""
        return json_response(201, {**show_key(created.key), "token": created.token})


@dataclass(frozen=True, slots=True, kw_only=True)
class ListKeysCall:
    """Keys to be listed."""

    principal: Principal

    def answer(self, keys: Iterable[ApiKey]) -> Response[str]:
        """The keys without their secrets."""
        return json_response(200, {"keys": [show_key(key) for key in keys]})


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeKeyCall:
    """A key to be revoked."""

    principal: Principal
    key_id: str

    def answer(self, _: ApiKey) -> Response[str]:
        """Done."""
        return empty_response()


def read_create(call: ApiCall) -> CreateKeyCall:
    """Read a request to make a key.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    request = call.read_body(KeyRequest, call.read_object(), shape=Shape.NATIVE)
    new = NewKey(
        name=request.name,
        scopes=tuple(Scope.parse(scope) for scope in request.scopes),
        default_namespace=request.default_namespace,
        shape=request.shape or Shape.NATIVE,
    )
    return CreateKeyCall(principal=principal, new=new)


def read_list(call: ApiCall) -> ListKeysCall:
    """Read a request for the keys.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    call.read_query(NoQuery)
    return ListKeysCall(principal=principal)


def read_revoke(call: ApiCall, key_id: str) -> RevokeKeyCall:
    """Read a request to revoke a key.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    call.read_query(NoQuery)
    if _KEY_ID.fullmatch(key_id) is None:
        raise InvalidRequestError.of("key_id", "must be the id of a key")
    return RevokeKeyCall(principal=principal, key_id=key_id)


def show_key(key: ApiKey) -> dict[str, object]:
    """A key without its secret."""
    return {
        "key_id": key.key_id,
        "name": key.name,
        "scopes": [str(scope) for scope in key.scopes],
        "default_namespace": key.default_namespace,
        "shape": key.shape,
        "created_at": show_time(key.created_at),
        "revoked_at": show_time(key.revoked_at),
    }

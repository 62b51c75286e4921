"""Make, list and revoke API keys."""

from dataclasses import dataclass, field, replace

from omoide.domain.errors import ForbiddenError, InvalidRequestError, NotFoundError
from omoide.domain.key_token import KEY_ID_BYTES, SECRET_BYTES, KeyToken
from omoide.domain.limits import text_problem
from omoide.domain.namespace import canonical_namespace
from omoide.domain.principal import Principal, Right, Scope
from omoide.domain.scope_patterns import administers, canonical_pattern, literal_head
from omoide.ports.clock import Clock, Entropy
from omoide.ports.keys import ApiKey, KeyStore

MAX_NAME = 128
MAX_SCOPES = 32
SHAPES = ("native", "dse")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key to be made.

    Attributes:
        name: What the operator calls it, 1..128 characters.
        scopes: What it shall allow.
        default_namespace: Meant by its requests that name none; None takes what a scope that may
            write begins with, else ``default``, else what any scope begins with.
        shape: Request shape when no field tells: ``native`` or ``dse``.
    """

    name: str
    scopes: tuple[Scope, ...]
    default_namespace: str | None = None
    shape: str = "native"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedKey:
    """A new key and, this once, its token."""

    key: ApiKey
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateKey:
    """Makes a key."""

    keys: KeyStore
    clock: Clock
    entropy: Entropy

    def __call__(self, principal: Principal, new: NewKey) -> CreatedKey:
        """Make a key.

        Raises:
            InvalidRequestError: Name, scopes, default namespace or shape is wrong.
            ForbiddenError: The principal is not admin over everything the key would allow.
        """
        scopes = _canonical_scopes(new.scopes)
        _require_admin(principal)
        if not administers(principal, scopes):
            raise ForbiddenError("a key can only be given what its maker administers")
        problem = text_problem(new.name, limit=MAX_NAME)
        if problem is not None:
            raise InvalidRequestError.of("name", problem)
        if new.shape not in SHAPES:
            raise InvalidRequestError.of("shape", f"must be {' or '.join(SHAPES)}")
        token = KeyToken.make(self.entropy.bytes(KEY_ID_BYTES + SECRET_BYTES))
        key = ApiKey(
            key_id=token.key_id,
            secret_hash=token.secret_hash,
            name=new.name,
            scopes=scopes,
            default_namespace=_default_namespace(new.default_namespace, scopes),
            shape=new.shape,
            created_at=self.clock.now(),
        )
        self.keys.put(key)
        return CreatedKey(key=key, token=str(token))


@dataclass(frozen=True, slots=True, kw_only=True)
class ListKeys:
    """Lists the keys that the principal administers."""

    keys: KeyStore

    def __call__(self, principal: Principal) -> tuple[ApiKey, ...]:
        """Return them, revoked ones too, oldest first.

        Raises:
            ForbiddenError: The principal administers nothing.
        """
        _require_admin(principal)
        return tuple(key for key in self.keys.all() if administers(principal, key.scopes))


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeKey:
    """Revokes a key; it is refused from then on."""

    keys: KeyStore
    clock: Clock

    def __call__(self, principal: Principal, key_id: str) -> ApiKey:
        """Revoke a key; revoking it again changes nothing.

        Raises:
            ForbiddenError: The principal administers nothing.
            NotFoundError: Unknown, or not the principal's to administer: never told apart.
        """
        _require_admin(principal)
        key = self.keys.get(key_id)
        if key is None or not administers(principal, key.scopes):
            raise NotFoundError
        if key.revoked_at is None:
            key = replace(key, revoked_at=self.clock.now())
            self.keys.put(key)
        return key


def _require_admin(principal: Principal) -> None:
    if not any(scope.right is Right.ADMIN for scope in principal.scopes):
        raise ForbiddenError("only a key with an admin scope manages keys")


def _canonical_scopes(scopes: tuple[Scope, ...]) -> tuple[Scope, ...]:
    if not 1 <= len(scopes) <= MAX_SCOPES:
        raise InvalidRequestError.of("scopes", f"must hold 1 to {MAX_SCOPES} scopes")
    checked = [Scope.parse(str(scope)) for scope in scopes]
    return tuple(replace(s, pattern=canonical_pattern(s.pattern)) for s in checked)


def _default_namespace(named: str | None, scopes: tuple[Scope, ...]) -> str:
    """The default namespace: one that the key may use, if none is named one it may write to."""
    writing = tuple(scope for scope in scopes if scope.right is not Right.READ)
    if named is not None:
        candidates = [(named, scopes)]
    else:
        candidates = [(head, writing) for head in _heads(writing)]
        candidates += [("default", writing), ("default", scopes)]
        candidates += [(head, scopes) for head in _heads(scopes)]
    for candidate, allowing in candidates:
        namespace = _canonical_default(candidate)
        if any(scope.covers(namespace) for scope in allowing):
            return namespace
    raise InvalidRequestError.of("default_namespace", "must be one that the scopes allow")


def _canonical_default(namespace: str) -> str:
    try:
        return canonical_namespace(namespace)
    except InvalidRequestError as error:
        problems = "; ".join(detail.problem for detail in error.details)
        raise InvalidRequestError.of("default_namespace", problems) from error


def _heads(scopes: tuple[Scope, ...]) -> list[str]:
    return [head for head in (literal_head(scope.pattern) for scope in scopes) if head]

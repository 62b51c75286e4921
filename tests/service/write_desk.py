"""All write and read services over one data folder."""

from dataclasses import dataclass

from omoide.adapters.embedded.folder import EmbeddedFolder
from omoide.adapters.fake import FakeClock, FakeEmbedder, FakeEntropy, FakeFolder
from omoide.domain.memory import Memory
from omoide.domain.principal import LOCAL_PRINCIPAL, Principal, Scope
from omoide.services.authenticate_key import AuthenticateKey
from omoide.services.count_memories import CountMemories
from omoide.services.delete_memory import DeleteMemory
from omoide.services.get_memory import GetMemory
from omoide.services.limit_requests import LimitRequests
from omoide.services.list_memories import ListMemories
from omoide.services.manage_keys import CreateKey, ListKeys, RevokeKey
from omoide.services.new_memory import NewMemory
from omoide.services.store_memories import StoreMemories
from omoide.services.store_memory import StoreMemory
from omoide.services.update_memory import UpdateMemory

LOCAL = LOCAL_PRINCIPAL


def key(*scopes: str, key_id: str = "k1", default_namespace: str = "team/a") -> Principal:
    """The principal of a key with these scopes."""
    return Principal(
        key_id=key_id,
        scopes=tuple(map(Scope.parse, scopes)),
        default_namespace=default_namespace,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteDesk:
    """The services and the fakes under them."""

    clock: FakeClock
    folder: FakeFolder | EmbeddedFolder
    embedder: FakeEmbedder
    store: StoreMemory
    store_many: StoreMemories
    get: GetMemory
    update: UpdateMemory
    delete: DeleteMemory
    list: ListMemories
    count: CountMemories
    authenticate: AuthenticateKey
    create_key: CreateKey
    list_keys: ListKeys
    revoke_key: RevokeKey

    def say(self, content: str, **fields: object) -> Memory:
        """Store a text as the local principal and return its record."""
        return self.store(LOCAL, NewMemory(content=content, **fields)).view.memory  # pyright: ignore[reportArgumentType]


def open_desk(folder: FakeFolder | EmbeddedFolder, clock: FakeClock) -> WriteDesk:
    """The services over a folder."""
    entropy, embedder = FakeEntropy(seed=1), FakeEmbedder()
    limit = LimitRequests(limiter=folder.limiter)
    records, uses, keys = folder.records, folder.uses, folder.keys
    return WriteDesk(
        clock=clock,
        folder=folder,
        embedder=embedder,
        store=StoreMemory(
            records=records,
            lookups=records,
            uses=uses,
            embedder=embedder,
            limit=limit,
            clock=clock,
            entropy=entropy,
        ),
        store_many=StoreMemories(
            records=records,
            lookups=records,
            uses=uses,
            embedder=embedder,
            limit=limit,
            clock=clock,
            entropy=entropy,
        ),
        get=GetMemory(records=records, uses=uses, clock=clock),
        update=UpdateMemory(
            records=records,
            lookups=records,
            uses=uses,
            embedder=embedder,
            limit=limit,
            clock=clock,
        ),
        delete=DeleteMemory(
            records=records, lookups=records, embedder=embedder, limit=limit, clock=clock
        ),
        list=ListMemories(records=records, uses=uses, keys=keys, clock=clock),
        count=CountMemories(records=records),
        authenticate=AuthenticateKey(keys=keys),
        create_key=CreateKey(keys=keys, clock=clock, entropy=entropy),
        list_keys=ListKeys(keys=keys),
        revoke_key=RevokeKey(keys=keys, clock=clock),
    )


def take_down(desk: WriteDesk) -> None:
    """Make the records and the index of a desk in memory unavailable."""
    assert isinstance(desk.folder, FakeFolder)
    desk.folder.is_down = True

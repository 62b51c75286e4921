"""Which embedding model a data folder belongs to."""

from dataclasses import dataclass

from omoide.adapters.embedded.database import Connection, Database
from omoide.domain.errors import IncompatibleDataError


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBinding:
    """The model whose vectors a folder holds.

    Attributes:
        model_id: Its name.
        revision: Its revision; vectors of two revisions are never compared.
        dims: Length of its vectors.
    """

    model_id: str
    revision: str
    dims: int


def bind_model(database: Database, binding: ModelBinding, *, accept_other_model: bool) -> None:
    """Write down the model of an empty folder; refuse a folder that another model filled.

    Raises:
        IncompatibleDataError: Another model filled it and that is not accepted.
    """
    with database.reading() as connection:
        if bound_model(connection) == binding:
            return
    with database.writing() as connection:
        bound = bound_model(connection)
        if bound is not None and bound != binding and not accept_other_model:
            _refuse_filled(connection, bound, binding)
        for key, value in (
            ("model_id", binding.model_id),
            ("model_revision", binding.revision),
            ("model_dims", str(binding.dims)),
        ):
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def bound_model(connection: Connection) -> ModelBinding | None:
    """The model a database belongs to; None when it belongs to none yet."""
    rows = dict(
        connection.execute("SELECT key, value FROM meta WHERE key LIKE 'model!_%' ESCAPE '!'")
    )
    if "model_revision" not in rows:
        return None
    return ModelBinding(
        model_id=rows["model_id"], revision=rows["model_revision"], dims=int(rows["model_dims"])
    )


def _refuse_filled(connection: Connection, bound: ModelBinding, asked: ModelBinding) -> None:
    if connection.execute("SELECT 1 FROM scoring LIMIT 1").fetchone() is None:
        return
    raise IncompatibleDataError(
        f"this data folder was filled with the embedding model {bound.model_id}"
        f" (revision {bound.revision}), the program runs with {asked.model_id}"
        f" (revision {asked.revision}): vectors of two models cannot be compared. Run it with"
        f" {bound.model_id} again (OMOIDE_MODEL), or use another data folder (OMOIDE_DATA)"
    )

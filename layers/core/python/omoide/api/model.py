"""The base of every request and answer model."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class ApiModel(BaseModel):
    """Builds its validator when it is first used: a function uses few of the models it imports."""

    model_config: ClassVar[ConfigDict] = ConfigDict(defer_build=True)

"""Errors of the runner."""


class InvalidInput(ValueError):
    """The request is invalid. The message begins with the input's name. atelier's profile `cog` recognizes this error
    by its class name and fails the job; it retries all other errors."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"`{name}` {problem}")


class WrongSetting(ValueError):
    """An environment variable is invalid. The server does not start."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem}")

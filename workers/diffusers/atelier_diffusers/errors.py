"""What the runner says when it cannot do what it is asked."""


class InvalidInput(ValueError):
    """The request cannot be done as it is. The message begins with the input's name. atelier's profile `cog`
    knows this error by its name: it ends the job, while other errors are tried again."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"`{name}`: {problem}")


class WrongSetting(ValueError):
    """An environment variable has a value that means nothing. The server does not start."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")

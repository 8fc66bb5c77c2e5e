"""A cog runner around diffusers' pipeline folders. `README.md` says how to run it."""

__version__ = "0.1.0"

"""A cog runner around diffusers' pipeline folders. `README.md` explains how to run it."""

__version__ = "0.1.0"

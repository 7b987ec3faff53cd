"""Files that are there whole, or not at all."""

import os
from pathlib import Path


def write_whole(path, text):
    """Writes a text file; an interruption or a full disk leaves what was there before."""
    new = Path(f"{path}.new")
    new.write_text(text)
    os.replace(new, path)

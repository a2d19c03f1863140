"""Makes the names in a folder durable."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Stores durably which files are in a folder, after one was made, renamed or deleted.

    Raises:
        OSError: the disk failed.
    """
    if os.name != "nt":  # folders cannot be opened there
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

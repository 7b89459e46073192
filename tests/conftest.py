"""What all tests share: where third-party data lies, and no network but loopback."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("quiet", deadline=None)
settings.load_profile("quiet")

LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of third-party data; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("MEMLAB_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no third-party data at {folder}; set MEMLAB_DATA")
    return folder


@pytest.fixture(scope="session", autouse=True)
def cache_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests' vectors and replies out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMLAB_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        if self.family != socket.AF_UNIX and isinstance(address, tuple) and address[0] not in LOOPBACK:
            raise OSError(f"a test tried to reach {address[0]}; only loopback is allowed")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)

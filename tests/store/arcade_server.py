"""A program of its own, for a process of its own (it holds a JVM): ArcadeDB with its Bolt listener, on loopback only.

Arguments: folder, Bolt port, HTTP port, name of the database. The root password is in BOLT_PASSWORD. It makes the file
`ready` in its folder when it can be used, and ends when its standard input does: with whoever started it.
"""

import os
import sys
from pathlib import Path

from arcadedb_embedded.server import ArcadeDBServer

folder, bolt_port, http_port, database = sys.argv[1:]
server = ArcadeDBServer(
    root_path=folder,
    root_password=os.environ["BOLT_PASSWORD"],
    config={
        "mode": "production",
        "host": "127.0.0.1",
        "http_port": http_port,
        "bolt_port": bolt_port,
        "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
    },
    jvm_kwargs={"heap_size": "512m", "jvm_args": ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]},
)
server.start()
server.create_database(database)
Path(folder, "ready").touch()
sys.stdin.read()
os._exit(0)

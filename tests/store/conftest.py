"""Fixtures of the tests of stores."""

from tests.store.bolt import arcade, arcadedb, bolt, neo4j, nowhere

__all__ = ["arcade", "arcadedb", "bolt", "neo4j", "nowhere"]

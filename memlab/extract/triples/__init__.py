"""From a parsed English statement to triples, by rule."""

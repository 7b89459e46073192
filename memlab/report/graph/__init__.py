"""The graph that a run holds, to look at: an HTML page that needs nothing else, and GraphML."""

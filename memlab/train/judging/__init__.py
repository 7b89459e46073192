"""Training of judges without a language model, from a language model's verdicts on answers."""

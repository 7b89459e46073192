"""What generated datasets share: chance that repeats, dates as they are spoken of, people and their pronouns."""

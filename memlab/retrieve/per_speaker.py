"""The stores of both speakers searched as one."""

from collections.abc import Mapping, Sequence

from memlab.context import within
from memlab.dialogue import Question
from memlab.memory import Hit, Memory
from memlab.perspective import Owner, qualified
from memlab.retrieve.channels import Channel, by_name, note, traced
from memlab.retrieve.retriever import Retriever


class PerSpeaker(Retriever):
    """Ranks the memories of every store by the retriever it has, and merges the rankings by score.

    `top_k` holds for each store, as in the paper's evaluation, and `max_tokens` for all together.
    """

    def __init__(self, retrievers: Mapping[Owner, Retriever]) -> None:
        self._retrievers = retrievers
        first = next(iter(retrievers.values()))
        self.top_k = first.top_k
        self.max_tokens = first.max_tokens
        self._known: dict[tuple[Owner, str], tuple[Memory, Memory]] = {}
        """Memories and what they are called here: made once, as most of them are ranked for every question."""

    def depth(self, *, hits: int = 0, tokens: int = 0) -> int | None:
        """Return how deep a ranking fills the bounds: `top_k` of every store."""
        return super().depth(hits=max(hits, (self.top_k or 0) * len(self._retrievers)), tokens=tokens)

    async def rank(self, question: Question, depth: int | None) -> list[Hit]:
        """Return the best of every store, those within its `top_k` before all others."""
        rankings: dict[Owner, Sequence[Hit]] = {}
        channels: dict[Owner, list[Channel]] = {}
        for owner, retriever in self._retrievers.items():
            with traced() as channels[owner]:
                rankings[owner] = await retriever.rank(question, depth)
        self._note(channels, depth)
        return self._merged(rankings, depth)

    def _note(self, found: Mapping[Owner, Sequence[Channel]], depth: int | None) -> None:
        """Note each channel of the stores as one, its rankings merged as the whole ones are."""
        named = {owner: by_name(channels) for owner, channels in found.items()}
        for name in dict.fromkeys(name for channels in named.values() for name in channels):
            own = {owner: channels[name] for owner, channels in named.items() if name in channels}
            rankings = {owner: channel.ranking for owner, channel in own.items()}
            note(Channel(name, self._merged(rankings, depth), sum(channel.seconds for channel in own.values())))

    def _merged(self, rankings: Mapping[Owner, Sequence[Hit]], depth: int | None) -> list[Hit]:
        ranked: list[tuple[bool, float, Owner, Hit]] = []
        for owner, hits in rankings.items():
            ranked += [(self._beyond(place), -hit.score, owner, hit) for place, hit in enumerate(hits)]
        # Each store's own order is one of `beyond` and score, too, so the head of the whole is within their heads.
        best = sorted(ranked, key=lambda entry: entry[:2])[:depth]
        return [Hit(self._qualified(hit.memory, owner), hit.score) for *_, owner, hit in best]

    def shown(self, ranking: Sequence[Hit]) -> list[Hit]:
        """Return the head of the ranking: `top_k` of each store, as far as `max_tokens` goes."""
        if self.top_k is None:
            return within(ranking, max_tokens=self.max_tokens)
        found = dict.fromkeys(self._retrievers, 0)
        for hit in ranking:
            owner = hit.memory.id.rpartition(":")[0] or None
            found[owner] += 1
        head = sum(min(self.top_k, count) for count in found.values())
        return within(ranking, top_k=head, max_tokens=self.max_tokens)

    def _qualified(self, memory: Memory, owner: Owner) -> Memory:
        known = self._known.get((owner, memory.id))
        if known is None or known[0] is not memory:
            known = self._known[owner, memory.id] = memory, qualified(memory, owner)
        return known[1]

    def _beyond(self, place: int) -> bool:
        return self.top_k is not None and place >= self.top_k

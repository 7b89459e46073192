"""The card of a judge in words, as Markdown."""

from collections.abc import Mapping
from typing import Any


def readme(card: Mapping[str, Any]) -> str:
    """Return what the judge is, what it learnt from, and how far it can be believed."""
    labels = ", ".join(f"{judge} ({count:,})" for judge, count in card["labels"].items())
    use = (
        "python -m memlab judge=local judge.weights=FOLDER"
        if card["model"] == "local"
        else f"python -m memlab judge=overlap judge.threshold={card['threshold']}"
    )
    unseen = card["unseen_systems"]
    lines = [
        f"# A judge without a language model ({card['model']})",
        "",
        f"Predicts verdicts of {labels} on answers, from question, gold and answer. Use it: `{use}`.",
        f"Learnt from {card['data']['file']} (sha256 {card['data']['sha256'][:12]}). Where that data is not for "
        "commerce, these weights are not, either; do not pass them on.",
        "",
        f"All figures: {card['measured']}, against the majority of an answer's labels.",
        "",
        "| answers | n | agreement | AUC | calibration error |",
        "|---|---|---|---|---|",
        f"| conversations held out | {card['n']:,} | {card['agreement']:.3f} | {card['auc']:.3f} | "
        f"{card['expected_calibration_error']:.3f} |",
        f"| systems held out | {unseen['n']:,} | {unseen['agreement']:.3f} | {unseen['auc']:.3f} | "
        f"{unseen['expected_calibration_error']:.3f} |",
        "",
        "| category | n | agreement | correct ones passed | wrong ones refused |",
        "|---|---|---|---|---|",
        *(
            f"| {category} | {own['n']:,} | {own['agreement']:.3f} | {share(own['sensitivity'])} | "
            f"{share(own['specificity'])} |"
            for category, own in card["by_category"].items()
        ),
        "",
        "| system | n | agreement | passed | passed by the labels |",
        "|---|---|---|---|---|",
        *(
            f"| {system} | {own['n']:,} | {own['agreement']:.3f} | {own['passed']:.3f} | "
            f"{own['passed_by_labels']:.3f} |"
            for system, own in card["by_system"].items()
        ),
        "",
        "Systems whose answers are wrong on purpose show how far fluent or vague words go with this judge.",
        "",
    ]
    return "\n".join(lines)


def share(value: float | None) -> str:
    """Return a share, or `-`."""
    return "-" if value is None else f"{value:.3f}"

"""Student's t: its quantiles, and what lies beyond a value."""


def quantile(share: float, freedom: float) -> float:
    """Return the value that a share of the distribution lies below."""
    # It takes a tenth of a second to import, which tables without differences need not wait for.
    from scipy.special import stdtrit

    return float(stdtrit(freedom, share))


def beyond(t: float, freedom: float) -> float:
    """Return the probability of a value further from 0 than `t` >= 0, either way."""
    from scipy.special import stdtr

    return float(2 * stdtr(freedom, -t))

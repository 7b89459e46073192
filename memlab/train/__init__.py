"""How the models of pairs of texts are made: where labelled pairs come from, and what learns from them."""

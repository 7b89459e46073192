"""report.html: runs side by side as one page that asks nothing of any network."""

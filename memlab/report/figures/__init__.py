"""Figures of runs, for papers (SVG, PDF, PNG) and for report.html."""

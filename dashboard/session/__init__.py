"""What one browser session holds and asks for: scores, settings, results, links."""

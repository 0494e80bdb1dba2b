"""Vector figures."""

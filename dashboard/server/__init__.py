"""How the server starts, what it lets in and out, what it tells whoever runs it."""

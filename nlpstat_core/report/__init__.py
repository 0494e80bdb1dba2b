"""What people read: every sentence, every kind of file."""

"""What only the leaderboard's page draws."""

"""What `nlpstat serve` tells the app through its environment."""

# The file that every new session of the served app opens.
OPEN = "NLPSTAT_OPEN"

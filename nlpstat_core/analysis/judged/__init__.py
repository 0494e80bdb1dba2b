"""What the board of a judge corrected by people is made of."""

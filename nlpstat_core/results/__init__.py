"""What was found: result types, below the reports that draw them."""

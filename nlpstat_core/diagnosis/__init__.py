"""Looking at the data before testing: summary, shape, normality, and the tests that suit them."""

"""Parts of composite boards: what is averaged, the rows of the board, and how firm its order is."""

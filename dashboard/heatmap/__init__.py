"""The page of the heatmap."""

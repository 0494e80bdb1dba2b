"""The board: ranks with intervals, clusters, letters, how ranks vary, and how firm they are."""

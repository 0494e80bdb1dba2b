"""What several pages draw: the sidebar, tables, panels, downloads."""

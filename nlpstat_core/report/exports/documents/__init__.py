"""Reports, workbooks and pages to read, one format a file."""

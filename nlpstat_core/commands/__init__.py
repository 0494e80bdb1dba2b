"""What the command line is made of: options, configuration files, commands, text for a terminal."""

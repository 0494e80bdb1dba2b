"""What Alembic runs: the revisions on the connection, in the transaction, that it is handed."""

from alembic import context

from nlpstat_core.saved_boards.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()

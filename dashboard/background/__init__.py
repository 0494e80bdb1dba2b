"""Work behind the pages: worker processes, queues, a cluster, the functions they run. No Streamlit here."""

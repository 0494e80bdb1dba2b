# The app in a container: no shell of its own user, nothing written outside /tmp (see docs/deploy.md).
FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp

WORKDIR /app
COPY requirements.txt ./
COPY requirements.lock ./
RUN python -m pip install --no-cache-dir --disable-pip-version-check -r requirements.txt -c requirements.lock
COPY nlpstat_core ./nlpstat_core
COPY dashboard ./dashboard
COPY pages ./pages
COPY data ./data
COPY deploy/health.py ./deploy/health.py
RUN python -m compileall -q nlpstat_core dashboard pages

USER 10001:10001
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["python", "deploy/health.py"]
# What follows the image's name on the command line are further options of the server, and win.
ENTRYPOINT ["python", "-m", "dashboard", "--server.address", "0.0.0.0", "--server.port", "8501"]
CMD []

"""What a link leads to, for people without an account. Only where a database is configured."""

from dashboard.saved.link_page import draw_shared

draw_shared()

"""Files that the report page offers: each is made and described; replay is the configuration."""

import json

import pytest
from core.boards import hostile_board, plain_board

from dashboard.background.files import MAKERS, made
from dashboard.parts.downloads import DESCRIPTIONS
from dashboard.parts.file_buttons import MIME
from nlpstat_core.config import AnalysisConfig


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("board", [plain_board, hostile_board])
def test_every_file_is_made_and_described(name, board):
    content = made(board(), name)
    assert content
    assert content.startswith(b"PK") == name.endswith((".zip", ".xlsx"))
    assert DESCRIPTIONS[name]
    assert name.endswith(".tex") or name.rpartition(".")[2] in MIME


def test_the_replay_file_is_the_analysis_configuration():
    data = json.loads(made(plain_board(), "replay.json"))
    data.pop("reading")
    assert AnalysisConfig.from_mapping(data) == plain_board().config

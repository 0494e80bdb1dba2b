"""Completion in the shell: a script of commands, options and their values, made from the parser."""

import argparse
import shlex
from collections.abc import Iterator

from nlpstat_core.cli.arguments import Parser

SHELLS = ("bash", "zsh", "fish")

_BASH = """\
_nlpstat() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command="" word="" below="" options="" values=""
  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "$command/$word" in
%(deeper)s
    esac
  done
  case "$previous" in
%(values)s
  esac
  case "$command" in
%(words)s
  esac
  if [ -n "$values" ]; then below=$values; fi
  case "$current" in -*) below=$options ;; esac
  COMPREPLY=( $(compgen -W "$below" -- "$current") )
}
complete -o default -F _nlpstat nlpstat
"""


def add_completion_options(parser: argparse.ArgumentParser) -> None:
    """What `completion` is given."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for one shell; files are completed wherever no word is known."""
    if shell == "fish":
        return "\n".join(_fish(parser))
    script = _bash(list(_commands(parser)))
    return script if shell == "bash" else f"autoload -U +X bashcompinit && bashcompinit\n{script}"


def _commands(
    parser: argparse.ArgumentParser, path: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command with the words that lead to it."""
    if isinstance(parser, Parser):
        parser.complete()
    yield path, parser
    for name, part in _below(parser).items():
        yield from _commands(part, f"{path} {name}".strip())


def _below(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= action.choices
    return found


def _values(action: argparse.Action) -> tuple[str, ...]:
    """Words that an option or an argument takes: its choices, else those its setting knows."""
    from nlpstat_core.config import SETTINGS

    if isinstance(action, argparse._SubParsersAction):
        return ()
    if action.choices is not None:
        return tuple(map(str, action.choices))
    setting = SETTINGS.get(action.dest)
    if setting is None or not action.option_strings:
        return ()
    return tuple(str(choice) for choice in setting.choices if choice is not None)


def _taken(found: list[tuple[str, argparse.ArgumentParser]]) -> dict[str, tuple[str, ...]]:
    """Options of all commands with the words they take; a word of one command is no harm in another."""
    values: dict[str, dict[str, None]] = {}
    for _, parser in found:
        for action in parser._actions:
            for option in action.option_strings:
                values.setdefault(option, {}).update(dict.fromkeys(_values(action)))
    return {option: tuple(words) for option, words in values.items() if words}


def _bash(found: list[tuple[str, argparse.ArgumentParser]]) -> str:
    deeper = [
        f"      {shlex.quote(f'{path}/{name}')}) command={shlex.quote(f'{path} {name}'.strip())} ;;"
        for path, parser in found
        for name in _below(parser)
    ]
    words = []
    for path, parser in found:
        options = " ".join(_options(parser))
        below = " ".join([*_below(parser), *_arguments(parser)])
        words.append(f"    {shlex.quote(path)}) options={shlex.quote(options)} below={shlex.quote(below)} ;;")
    values = [f"    {name}) values={shlex.quote(' '.join(each))} ;;" for name, each in _taken(found).items()]
    return _BASH % {"deeper": "\n".join(deeper), "values": "\n".join(values), "words": "\n".join(words)}


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from action.option_strings


def _arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    """What arguments without a dash may be, where that is known."""
    for action in parser._actions:
        if not action.option_strings:
            yield from _values(action)


def _fish(parser: argparse.ArgumentParser) -> Iterator[str]:
    for path, part in _commands(parser):
        seen = [f"__fish_seen_subcommand_from {word}" for word in path.split()]
        deeper = [f"not __fish_seen_subcommand_from {' '.join(below)}"] if (below := _below(part)) else []
        where = f"-n {shlex.quote('; and '.join([*seen, *deeper]) or 'true')}"
        for action in part._actions:
            if isinstance(action, argparse._SubParsersAction):
                for choice in action._choices_actions:
                    yield f"complete -c nlpstat -f {where} -a {choice.dest} -d {_told(choice.help)}"
            elif action.option_strings:
                names = " ".join(
                    f"-{'s' if len(name) == 2 else 'l'} {name.lstrip('-')}" for name in action.option_strings
                )
                words = _values(action)
                takes = (
                    f" -xa {shlex.quote(' '.join(words))}" if words else " -r" if action.nargs != 0 else ""
                )
                yield f"complete -c nlpstat {where} {names}{takes} -d {_told(action.help)}"
            elif words := _values(action):
                yield f"complete -c nlpstat -f {where} -a {shlex.quote(' '.join(words))}"


def _told(help: str | None) -> str:
    return shlex.quote((help or "").replace("%%", "%"))

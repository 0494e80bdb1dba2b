"""Who somebody is on a board: an e-mail address, or what a login service calls them; never both at once.

Addresses are compared by lower case, and their domains by A-labels (IDNA 2008), which is what mail goes by:
straße.example is not strasse.example. Nothing is folded or mapped beyond that: ſ is no s. Characters that
Unicode takes for others (the Kelvin sign for K) are in no address.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, get_args

from nlpstat_core.errors import shown
from nlpstat_core.saved_boards.errors import BoardError, TooMuch
from nlpstat_core.saved_boards.limits import LONGEST_IDENTITY

Kind = Literal["email", "login", "local"]
LOCAL = "local"
_NO_PART_OF_A_NAME = frozenset('@,;:<>()[]\\"')  # outside quotation marks, which nobody's address has
# Letters and signs by name, blanks to the eye.
_LOOKS_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_PLAIN_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_LONGEST_HOST = 253


@dataclass(frozen=True)
class Identity:
    """Somebody, as members' lists know them.

    name: The address; issuer and subject with a blank between; or that of this machine's user. For people:
        comments and the log say it. No address and no issuer has a blank, so it is plain on its own, too.
    """

    kind: Kind
    name: str

    @property
    def tagged(self) -> str:
        """As lists hold it: no address is anybody's issuer and subject, whatever either is called.

        >>> known_identity("Ada@Example.org").tagged, known_identity("https://login.example.org 42").tagged
        ('email:ada@example.org', 'login:https://login.example.org 42')
        """
        return f"{self.kind}:{self.name}"

    @property
    def logged(self) -> dict[str, str]:
        """As the log says it."""
        return {"kind": self.kind, "identity": self.name}

    def checked(self) -> Identity:
        """The same, as strictly as if somebody typed it: of a file that anybody may have written.

        Raises BoardError: It is no address, or no issuer with a subject.
        """
        if self.kind == "email":
            return address(self.name)
        issuer, _, subject = self.name.partition(" ")
        return login(issuer, subject) if self.kind == "login" else THIS_MACHINES


THIS_MACHINES = Identity("local", f"{LOCAL} {LOCAL}")


def from_tagged(text: str) -> Identity:
    """What `tagged` gave. Raises BoardError: It is none."""
    kind, colon, name = text.partition(":")
    for known in get_args(Kind):
        if colon and kind == known:
            return Identity(known, name)
    raise BoardError(f"{shown(text)} is not a member.")


def known_identity(text: str) -> Identity:
    """Somebody as a person writes them: an address, or issuer and subject with a blank between.

    Raises BoardError: It is neither.

    >>> known_identity(" Ada@Straße.example ").name
    'ada@xn--strae-oqa.example'
    """
    found = text.strip()
    if not found:
        raise BoardError("A member can't be empty.")
    if found == THIS_MACHINES.name:
        return THIS_MACHINES
    issuer, blank, subject = found.partition(" ")
    if blank and "://" in issuer:
        return login(issuer, subject.strip())
    return address(found)


def from_untagged(text: str) -> Identity:
    """What lists and the log held before kinds were told apart; what is no address is kept as nobody's."""
    if text == THIS_MACHINES.name:
        return THIS_MACHINES
    if " " in text:
        return Identity("login", text)
    return address(text) if is_address(text) else Identity("email", text)


def login(issuer: str, subject: str) -> Identity:
    """Somebody as a login service names them; exactly so, both parts tell small letters from capitals."""
    name = f"{issuer} {subject}"
    _short_enough(name)
    if not issuer or not subject.strip() or any(map(_blank, issuer)) or any(map(_control, subject)):
        raise BoardError(f"{shown(name)} is not an issuer without spaces followed by a subject.")
    return Identity("login", name)


def address(text: str) -> Identity:
    """Somebody by e-mail address."""
    _short_enough(text)
    if any(map(_blank, text)):
        raise BoardError(
            f"{shown(text)} contains a space or a control character, which no e-mail address does (an issuer "
            "begins with https:// and is followed by a space and its subject)."
        )
    name, at, host = text.rpartition("@")
    usual = unicodedata.is_normalized("NFC", text) and not _NO_PART_OF_A_NAME & set(name)
    if not (name and at and host and usual):
        raise BoardError(
            f"{shown(text)} is neither an e-mail address nor an issuer and a subject separated by a space."
        )
    return Identity("email", f"{_lower(name)}@{_host(host)}")


def is_address(text: str) -> bool:
    """Whether a login service's word for somebody's address is one that lists can hold."""
    try:
        address(text)
    except BoardError:
        return False
    return True


def _short_enough(text: str) -> None:
    if len(text) > LONGEST_IDENTITY:
        raise TooMuch(f"A member may have {LONGEST_IDENTITY:,} characters; this has {len(text):,}.")


def _control(character: str) -> bool:
    return unicodedata.category(character)[0] == "C"


def _blank(character: str) -> bool:
    return (
        character.isspace()
        or character in _LOOKS_BLANK
        or _control(character)
        or unicodedata.category(character)[0] == "Z"
    )


def _lower(text: str) -> str:
    """Small letters, where the capital is that letter's own: nothing that two letters share is lost."""
    return "".join(small if (small := letter.lower()).upper() == letter else letter for letter in text)


def _host(text: str) -> str:
    """A domain by its A-labels."""
    labels = [_label(label, text) for label in _lower(text).split(".")]
    host = ".".join(labels)
    if len(host) > _LONGEST_HOST:
        raise BoardError(f"{shown(text)} is too long for a domain.")
    return host


def _label(label: str, host: str) -> str:
    if label.isascii():
        if _PLAIN_LABEL.fullmatch(label):
            return label
        raise BoardError(f"{shown(host)} is not a domain of an e-mail address.")
    import idna

    try:
        return idna.alabel(label).decode("ascii")
    except idna.IDNAError as error:
        raise BoardError(f"{shown(host)} is not a domain of an e-mail address.") from error

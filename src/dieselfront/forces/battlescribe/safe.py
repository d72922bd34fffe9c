"""Opening files from strangers: XML and zip archives of bounded size, depth and time, without any entities."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from xml.parsers import expat

from dieselfront.forces.errors import ForcesError

MAX_FILE = 24 * 1024 * 1024
"""Bytes of a file, and of the one document inside an archive. The largest catalogues have 2 MB."""
MAX_ENTRIES = 64
"""Files inside an archive; a roster archive has one."""
MAX_ELEMENTS = 300_000
MAX_DEPTH = 120
MAX_ATTRIBUTES = 64
ZIP_MAGIC = b"PK\x03\x04"
DOCUMENTS = (".ros", ".cat", ".gst", ".xml")


class Refused(ForcesError):
    """A file we will not read, with the reason in one sentence."""


class Node:
    """An element: its name, attributes, text and children; nothing that could lead out of the document."""

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Node] = []
        self.text = ""

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def inside(self, tag: str) -> list[Node]:
        """The children of the child list of that name: `inside("profiles")`."""
        return [one for child in self.children if child.tag == tag for one in child.children]


def read_file(path: Path) -> bytes:
    """The file, if it is no larger than any honest one."""
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise Refused(f"{path.name} is a folder; expected a file.")
        if size > MAX_FILE:
            raise Refused(f"{path.name} has {size // 1024**2} MB; files up to {MAX_FILE // 1024**2} MB are read.")
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except FileNotFoundError:
        raise Refused(f"There is no file {path}.") from None
    except OSError as error:
        raise Refused(f"{path.name} cannot be read: {error.strerror or error}.") from None
    if len(data) > MAX_FILE:
        raise Refused(f"{path.name} is larger than {MAX_FILE // 1024**2} MB; it is not read.")
    return data


def unpack(data: bytes, name: str) -> bytes:
    """The document inside a zip archive (.rosz, .catz, .gstz), or the data itself if it is none."""
    if not data.startswith(ZIP_MAGIC):
        return data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return only_document(archive, name)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        if isinstance(error, ForcesError):
            raise
        raise Refused(f"{name} is not a readable zip archive.") from None
    except (RuntimeError, KeyError, IndexError, OverflowError, UnicodeError, MemoryError):
        raise Refused(f"{name} is an encrypted or damaged zip archive.") from None


def only_document(archive: zipfile.ZipFile, name: str) -> bytes:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise Refused(f"{name} holds {len(entries)} files; expected one roster or catalogue.")
    for entry in entries:
        check_path(entry.filename, name)
    documents = [entry for entry in entries if entry.filename.lower().endswith(DOCUMENTS)]
    if len(documents) != 1:
        raise Refused(f"{name} holds {len(documents)} rosters or catalogues; expected one.")
    if documents[0].file_size > MAX_FILE:
        raise Refused(f"{name} unpacks to {documents[0].file_size // 1024**2} MB; it is not read.")
    with archive.open(documents[0]) as file:
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise Refused(f"{name} unpacks to more than {MAX_FILE // 1024**2} MB; it is not read.")
    return data


def check_path(filename: str, name: str) -> None:
    """Names inside an archive are plain; nothing is ever written to disk, and yet we read no such archive."""
    path = PurePosixPath(filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in filename or "\0" in filename:
        raise Refused(f"{name} holds a file named {filename[:60]!r}, which leads out of the archive; it is not read.")


def parse_xml(data: bytes, name: str) -> Node:
    """The document as nodes. Document types and entities are refused outright, whatever they declare."""
    if len(data) > MAX_FILE:
        raise Refused(f"{name} is larger than {MAX_FILE // 1024**2} MB; it is not read.")
    builder = Builder(name)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartDoctypeDeclHandler = builder.doctype
    parser.EntityDeclHandler = builder.entity
    parser.ExternalEntityRefHandler = builder.entity
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.characters
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        problem = expat.ErrorString(error.code)
        raise Refused(f"{name}, line {error.lineno}: not well-formed XML ({problem}).") from None
    except (ValueError, LookupError, MemoryError) as error:
        if isinstance(error, ForcesError):
            raise
        raise Refused(f"{name} is not readable XML.") from None
    if builder.root is None:
        raise Refused(f"{name} is empty.")
    return builder.root


class Builder:
    """Collects nodes while the parser runs and stops it at the limits."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root: Node | None = None
        self.stack: list[Node] = []
        self.elements = 0

    def doctype(self, *_: object) -> None:
        raise Refused(f"{self.name} declares a document type; such files are not read.")

    def entity(self, *_: object) -> int:
        raise Refused(f"{self.name} declares or uses entities; such files are not read.")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            raise Refused(f"{self.name} has more than {MAX_ELEMENTS} elements; it is not read.")
        if len(self.stack) >= MAX_DEPTH:
            raise Refused(f"{self.name} is nested deeper than {MAX_DEPTH} levels; it is not read.")
        if len(attributes) > MAX_ATTRIBUTES:
            raise Refused(f"{self.name} has an element with {len(attributes)} attributes; it is not read.")
        node = Node(tag.rpartition(":")[2], attributes)
        if self.stack:
            self.stack[-1].children.append(node)
        else:
            self.root = node
        self.stack.append(node)

    def end(self, _: str) -> None:
        self.stack.pop()

    def characters(self, text: str) -> None:
        """Only the values of profiles are text we use; descriptions stay where they are."""
        if self.stack and self.stack[-1].tag in ("characteristic", "name"):
            self.stack[-1].text += text

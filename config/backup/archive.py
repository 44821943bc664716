"""The backup file: a tar, optionally encrypted with age, whose last member has the SHA-256 of every other."""

import errno
import hashlib
import io
import json
import os
import tarfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

FORMAT = 1
MANIFEST = "manifest.json"
# What an encrypted archive begins with, as bytes and as text.
_ARMOR = b"-----BEGIN AGE ENCRYPTED FILE"
AGE_HEADERS = (b"age-encryption.org/", _ARMOR)
_ARMOR_ENDS = b"-----END AGE ENCRYPTED FILE"
# A line has 64 characters. The encrypted key takes 8 lines.
_LONGEST_LINE, _MOST_LINES = 80, 40
# How systems, PostgreSQL and the encryption say that a disk is full.
FULL = os.strerror(errno.ENOSPC)
_PIECE = 2**20
_NO_PYRAGE = "Encryption needs the extra backup (docs/operations/running.md#extras)."


class BackupError(Exception):
    """A backup that can't be made, read or restored. The message says why and what to do."""


def reason_of(error: OSError | BackupError) -> str:
    """Return why a backup or a restore failed, in a sentence. A full disk has many names, and gets one."""
    if FULL in str(error) or getattr(error, "errno", None) in {errno.ENOSPC, errno.EDQUOT}:
        return "The disk is full. Free some space, or use a larger disk."
    if getattr(error, "errno", None) == errno.EFBIG:
        return "The file is larger than files may be here. Raise the limit (ulimit -f), or use another file system."
    if isinstance(error, OSError) and isinstance(error.filename, str):
        return _reason_of_system(error, Path(error.filename))
    return str(error)


def _reason_of_system(error: OSError, path: Path) -> str:
    # A backup gets its name once it is whole. Until then, its folder is what people know.
    path = path.parent if path.suffix == ".part" or not path.parent.exists() else path
    match error:
        case FileNotFoundError() if not path.exists():
            return f"{path} doesn't exist."
        case IsADirectoryError():
            return f"{path} is a folder. Name a file."
        case PermissionError():
            return f"No permission to use {path}."
    return f"{path}: {error.strerror}."


def passphrase_of(path: Path | None) -> str:
    """Return the first line of a passphrase file, and nothing without a file."""
    if path is None:
        return ""
    with path.open(errors="replace") as file:
        line = file.readline().strip()
    if not line:
        raise BackupError(f"{path} is empty. Write the passphrase into its first line.")
    return line


class Writer:
    """Adds members to an archive one by one. `finish` writes the manifest."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self._members: dict[str, dict[str, Any]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def add(self, name: str, source: IO[bytes], *, size: int) -> None:
        """Copy `size` bytes of a source."""
        reader = _Hashing(source)
        header = tarfile.TarInfo(name)
        header.size, header.mode = size, 0o600
        try:
            self._tar.addfile(header, reader)
        except OSError as error:
            raise BackupError(f"{name} could not be written: {error}.") from error
        self._members[name] = {"size": size, "sha256": reader.hexdigest()}

    def finish(self, **facts: Any) -> None:
        """Write the manifest: the facts, and the size and checksum of every member."""
        body = json.dumps({"format": FORMAT, **facts, "members": self._members}, indent=2, default=str).encode()
        header = tarfile.TarInfo(MANIFEST)
        header.size, header.mode = len(body), 0o600
        self._tar.addfile(header, io.BytesIO(body))


@contextmanager
def writing(target: IO[bytes]) -> Iterator[Writer]:
    """Open a new archive."""
    with tarfile.open(fileobj=target, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        yield Writer(tar)


def unpack(source: IO[bytes], folder: Path) -> dict[str, Any]:
    """Unpack an archive into an empty folder and return its manifest.

    Raises BackupError if it is damaged, cut off, or made by a newer Slipway.
    """
    result: dict[str, dict[str, Any]] = {}
    try:
        with tarfile.open(fileobj=source, mode="r|") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is None or not _is_inside(member.name):
                    raise BackupError(f"The archive contains an unexpected file: {member.name!r}.")
                target = folder / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                result[member.name] = {"size": member.size, "sha256": _copy(content, target)}
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
    except (tarfile.TarError, EOFError, FileNotFoundError, ValueError) as error:
        raise BackupError("This file isn't a backup, or it's damaged. Try another one.") from error
    if manifest.get("format") != FORMAT:
        raise BackupError("A newer Slipway made this backup. Install that version first.")
    del result[MANIFEST]
    if result != manifest.get("members"):
        raise BackupError("The backup is damaged: its checksums don't match. Try another one.")
    return manifest


@contextmanager
def encrypting(target: IO[bytes], recipients: Sequence[str], *, passphrase: str = "") -> Iterator[IO[bytes]]:
    """Encrypt the output for these age public keys, or with a passphrase. Without either, it stays readable."""
    if not recipients and not passphrase:
        yield target
        return
    age = _age()
    if passphrase:
        # The library encrypts with a passphrase only in memory, so the passphrase opens a key, and the key the rest.
        identity = age.x25519.Identity.generate()
        target.write(age.passphrase.encrypt(str(identity).encode(), passphrase, armored=True).rstrip() + b"\n")
        recipients = [str(identity.to_public())]
    try:
        keys = [age.x25519.Recipient.from_str(text) for text in recipients]
    except age.RecipientError as error:
        raise BackupError("--recipient takes an age public key: age1…") from error
    try:
        with piped(lambda plain: age.encrypt_io(plain, target, keys)) as plain:
            yield plain
    except age.EncryptError as error:
        raise BackupError(f"Encryption failed: {error}.") from error


def identity_in(source: IO[bytes], passphrase: str) -> str:
    """Read the key that an archive begins with. Raises BackupError if the passphrase doesn't open it."""
    age, lines = _age(), [source.readline(_LONGEST_LINE)]
    if not lines[0].startswith(_ARMOR):
        raise BackupError("This backup has no passphrase. Pass --identity and the file with its key.")
    while lines[-1] and not lines[-1].startswith(_ARMOR_ENDS) and len(lines) < _MOST_LINES:
        lines.append(source.readline(_LONGEST_LINE))
    try:
        return bytes(age.passphrase.decrypt(b"".join(lines), passphrase)).decode("ascii")
    except age.DecryptError as error:
        raise BackupError("The passphrase doesn't open the backup. Use the one it was made with.") from error


def decrypted(source: IO[bytes], target: IO[bytes], *, identities: str) -> None:
    """Decrypt an archive with the lines of an age identity file. Raises BackupError if none of them fits."""
    age, noting = _age(), _Noting(target)
    lines = [line.strip() for line in identities.splitlines() if line.strip() and not line.startswith("#")]
    try:
        keys = [age.x25519.Identity.from_str(line) for line in lines]
        age.decrypt_io(source, noting, keys)
    except (age.IdentityError, age.DecryptError, OSError) as error:
        if noting.failure:
            raise noting.failure from error
        if isinstance(error, OSError):
            raise BackupError("The backup is damaged: it can't be fully decrypted. Try another one.") from error
        raise BackupError("No key in this identity file opens the backup. Use the matching identity file.") from error


def _age() -> Any:
    try:
        import pyrage  # comes with the extra backup alone
    except ModuleNotFoundError as error:
        raise BackupError(_NO_PYRAGE) from error
    return pyrage


@contextmanager
def piped(consume: Callable[[IO[bytes]], None]) -> Iterator[IO[bytes]]:
    """Yield a file. A thread passes what is written to it to `consume`, whose error is raised here.

    If writing fails, `consume` meets an error instead of the end, so that it doesn't take half for the whole.
    """
    reading, writing = os.pipe()
    source = _UntilWhole(os.fdopen(reading, "rb"))
    with ThreadPoolExecutor(1) as pool:
        consumed = pool.submit(_consume, consume, source)
        try:
            with os.fdopen(writing, "wb") as writer:
                try:
                    yield writer
                except BaseException:
                    source.is_cut_off = True
                    raise
        except BrokenPipeError:
            consumed.result()
            raise
        consumed.result()


def _consume(consume: Callable[[IO[bytes]], None], source: "_UntilWhole") -> None:
    # Closing the pipe frees the writer, which would wait for ever for a reader that failed.
    with source:
        consume(cast("IO[bytes]", source))


class _UntilWhole(io.RawIOBase):
    """Reads a pipe. Its end counts only if the writer came to its own."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self.is_cut_off = False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = self._pipe.read(size)
        if len(piece) != size and self.is_cut_off:
            raise BackupError("The backup is incomplete.")
        return piece

    def close(self) -> None:
        self._pipe.close()
        super().close()


class _Noting(io.RawIOBase):
    """Passes on what is written, and notes why that failed, which the encryption words in its own way."""

    def __init__(self, target: IO[bytes]) -> None:
        self._target = target
        self.failure: OSError | None = None

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        with self._noted():
            return self._target.write(piece)

    def flush(self) -> None:
        with self._noted():
            self._target.flush()

    @contextmanager
    def _noted(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.failure = error
            raise


class _Hashing(io.RawIOBase):
    """Reads a source to its end and computes its SHA-256."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source, self._sha256 = source, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = self._source.read(size)
        self._sha256.update(piece)
        return piece

    def hexdigest(self) -> str:
        return self._sha256.hexdigest()


def _copy(source: IO[bytes], target: Path) -> str:
    reader = _Hashing(source)
    with target.open("xb") as file:
        while piece := reader.read(_PIECE):
            file.write(piece)
    return reader.hexdigest()


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and bool(path.parts)

"""`dieselfront server`: backups, restoring and tidying of a server's database; reports about people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront.cli.errors import UserError, print_json
from dieselfront.cli.rulesets import JSON
from dieselfront.cli.serve import DATABASE

app = typer.Typer(help="Back up, restore and tidy a server's database; read reports.", no_args_is_help=True)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, such as games.backup.gz.")],
    database: Annotated[str, DATABASE] = "",
    json: bool = JSON,
) -> None:
    """Write the whole database into one file; the server may go on meanwhile.

    The file holds dice seeds and what opens seats: keep it as safe as the database.
    """
    from dieselfront.server import backup as backups

    _tell_rows("backed up", file, _done(lambda: backups.backup(_url(database), file)), json)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `server backup` wrote.")],
    database: Annotated[str, DATABASE] = "",
    json: bool = JSON,
) -> None:
    """Put a backup into an empty database: all of it, or nothing if the file is not whole."""
    from dieselfront.server import backup as backups

    _tell_rows("restored", file, _done(lambda: backups.restore(_url(database), file)), json)


@app.command()
def tidy(
    days: Annotated[float, typer.Option("--days", min=1, max=36_500, help="Games untouched for so many days go.")],
    export_folder: Annotated[Path, typer.Option("--export-folder", help="Where they are exported to before.")],
    database: Annotated[str, DATABASE] = "",
    json: bool = JSON,
) -> None:
    """Export games and records that nobody has touched for long, then drop them. The server must not run on SQLite."""
    import asyncio

    from dieselfront.server.retention import Dropped
    from dieselfront.server.retention import tidy as tidy_up
    from dieselfront.server.storage import Storage

    async def run() -> Dropped:
        storage = Storage(_url(database))
        storage.open()
        try:
            return await tidy_up(storage, days, export_folder)
        finally:
            storage.close()

    dropped = _done(lambda: asyncio.run(run()))
    if json:
        print_json(dropped._asdict())
    else:
        typer.echo(f"{dropped.games} games and {dropped.records} records exported to {export_folder} and dropped.")


@app.command("export-shared")
def export_shared(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where their records are written, a file each.")],
    database: Annotated[str, DATABASE] = "",
    json: bool = JSON,
) -> None:
    """Write the records of finished games that their players share with everybody; the server may go on meanwhile.

    `dieselfront lab export FOLDER -o DATASET` makes a dataset of them.
    """
    from dieselfront.server import shared_games

    exported = _done(lambda: shared_games.export(_url(database), folder))
    if json:
        print_json({"folder": str(folder), **exported._asdict()})
        return
    typer.echo(f"{exported.games} shared games written to {folder}.")
    if exported.damaged:
        typer.echo(f"{exported.damaged} could not be read and were left out.")


@app.command()
def reports(database: Annotated[str, DATABASE] = "", json: bool = JSON) -> None:
    """List what people have reported about each other, the newest first; the server may go on meanwhile."""
    from datetime import UTC, datetime

    from dieselfront.server import moderation

    listed = _done(lambda: moderation.reports(_url(database)))
    if json:
        print_json([report._asdict() for report in listed])
        return
    for report in listed:
        when = datetime.fromtimestamp(report.at, UTC).strftime("%Y-%m-%d %H:%M")
        kept_out = ", kept out" if report.barred else ""
        typer.echo(f"{when} {report.by_name} about {report.about_name} ({report.about}{kept_out}): {report.text}")
        for name, text, _ in report.chat:
            typer.echo(f"    {name}: {text}")
    if not listed:
        typer.echo("Nobody has reported anybody.")


@app.command()
def bar(
    person: Annotated[str, typer.Argument(metavar="PERSON", help="The id that `server reports` shows.")],
    lift: Annotated[bool, typer.Option("--lift", help="Let him in again.")] = False,
    database: Annotated[str, DATABASE] = "",
) -> None:
    """Keep somebody out of the lobby; games that go on are not touched."""
    from dieselfront.server import moderation

    name = _done(lambda: moderation.bar(_url(database), person, not lift))
    if name is None:
        raise UserError(f"Nobody here has the id '{person}'.")
    typer.echo(f"{name} is {'let into the lobby again' if lift else 'kept out of the lobby'}.")


def _url(database: str) -> str:
    from dieselfront.server.settings import Settings

    return Settings(database=database).database_url


def _done(work: Any) -> Any:
    """What came of it; whatever the owner can mend is one sentence."""
    from dieselfront.server.backup import BackupError
    from dieselfront.server.storage import StorageError

    try:
        return work()
    except (BackupError, StorageError) as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{error.filename or 'A file'} cannot be used: {error.strerror or error}.") from None


def _tell_rows(what: str, file: Path, rows: dict[str, int], json: bool) -> None:
    if json:
        print_json({"file": str(file), "rows": rows})
    else:
        counts = ", ".join(f"{count} {name}" for name, count in rows.items())
        typer.echo(f"{file}: {what} {counts}.")

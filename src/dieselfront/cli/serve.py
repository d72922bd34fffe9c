"""`dieselfront serve`: the web app on this machine. What its owner does beside it is in server.py."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dieselfront.cli.errors import UserError, print_json
from dieselfront.cli.rulesets import JSON

EVERYWHERE = "0.0.0.0"
DATABASE = typer.Option(
    "--database",
    "-d",
    envvar="DIESELFRONT_DATABASE",
    help="Where games are kept: a file, or postgresql://USER@HOST/NAME. By default a file in your own folder.",
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(serve)


def serve(
    host: Annotated[str, typer.Option("--host", help="Where to listen; 0.0.0.0 for your whole network.")] = "127.0.0.1",
    lan: Annotated[
        bool, typer.Option("--lan", help="Listen to your own network, and show the address for friends in it.")
    ] = False,
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="The port; 0 takes any free one.")] = 8047,
    database: Annotated[str, DATABASE] = "",
    public_url: Annotated[
        str, typer.Option("--public-url", help="The server's address for links in notifications.")
    ] = "",
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="A name the server answers to; may be given several times.")
    ] = None,
    proxy: Annotated[
        str, typer.Option("--proxy", help="Addresses of trusted reverse proxies, separated by commas.")
    ] = "",
    peer_url: Annotated[
        str, typer.Option("--peer-url", help="How other server processes on the same PostgreSQL reach this one.")
    ] = "",
    thinkers: Annotated[
        int | None,
        typer.Option("--thinkers", min=0, max=64, help="Processes in which computer opponents think."),
    ] = None,
    thinkers_cluster: Annotated[
        str,
        typer.Option(
            "--thinkers-cluster",
            metavar="ADDRESS",
            help="Let computer opponents think on a Ray cluster, at its address; 'local' starts one on this machine.",
        ),
    ] = "",
    sockets: Annotated[
        int, typer.Option("--sockets", min=1, max=100_000, help="WebSockets one address may hold open.")
    ] = 64,
    no_webhooks: Annotated[bool, typer.Option("--no-webhooks", help="Send no notifications to the web.")] = False,
    private_webhooks: Annotated[
        bool, typer.Option("--private-webhooks", help="Let notifications go to addresses in your own network too.")
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without", help="Switch off people, lobby, ratings, push or sharing; may be given several times."
        ),
    ] = None,
    refused_names: Annotated[
        Path | None,
        typer.Option("--refused-names", help="A file of words that no name may contain, one per line."),
    ] = None,
    retain_days: Annotated[
        float,
        typer.Option(
            "--retain-days", min=0, max=36_500, help="Export and drop games untouched for so many days; 0 keeps all."
        ),
    ] = 0.0,
    export_folder: Annotated[
        Path | None, typer.Option("--export-folder", help="Where dropped games are exported to.")
    ] = None,
    metrics: Annotated[
        str, typer.Option("--metrics", help="Who may read /metrics: local (this machine), all, or off.")
    ] = "local",
    web: Annotated[Path | None, typer.Option("--web", help="The folder of the built browser app.")] = None,
    log: Annotated[str, typer.Option("--log", help="How much is logged: error, warning, info or debug.")] = "warning",
    log_format: Annotated[str, typer.Option("--log-format", help="Log format: text or json.")] = "text",
    check: Annotated[
        bool,
        typer.Option("--check", help="Report what is misconfigured and stop; exit 2 if it could not start."),
    ] = False,
    json: bool = JSON,
) -> None:
    """Start the web app: play in a browser, alone or with friends. Ctrl-C stops it.

    Games are saved as they are played; start it again to continue them.
    """
    from dieselfront.server.run import CannotServe, run
    from dieselfront.server.settings import Limits, Settings

    _one_of("--log", log, ("error", "warning", "info", "debug"))
    _one_of("--log-format", log_format, ("text", "json"))
    _one_of("--metrics", metrics, ("local", "all", "off"))
    if web is not None and not web.is_dir():
        raise UserError(f"'{web}' is not a folder; --web wants the folder of the built browser app.")
    off = set(without or ())
    for feature in off:
        _one_of("--without", feature, ("people", "lobby", "ratings", "push", "sharing"))
    limits = Limits(sockets_per_address=sockets, connections_per_address=max(256, sockets + 64))
    settings = Settings(
        host=EVERYWHERE if lan else host,
        port=port,
        database=database,
        public_url=public_url,
        allowed_hosts=tuple(allow_host or ()),
        proxies=proxy,
        peer_url=peer_url,
        thinkers=thinkers,
        thinkers_cluster=thinkers_cluster,
        webhooks=not no_webhooks,
        private_webhooks=private_webhooks,
        people="people" not in off,
        lobby=not off & {"people", "lobby"},
        ratings=not off & {"people", "ratings"},
        push=not off & {"people", "push"},
        sharing="sharing" not in off,
        refused_names=_words(refused_names),
        retain_days=retain_days,
        export_folder=str(export_folder) if export_folder is not None else "",
        metrics=metrics,
        web_folder=str(web) if web is not None else "",
        limits=limits,
    )
    if check:
        _check(settings, json)
        return
    if json:
        raise UserError("--json goes with --check; the server itself prints no document.")
    if retain_days > 0 and export_folder is None:
        raise UserError("--retain-days needs --export-folder: games are exported before they go.")
    try:
        run(settings, log, typer.echo, log_format, for_friends=lan)
    except CannotServe as error:
        raise UserError(str(error)) from None


def _one_of(option: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise UserError(f"{option} is {', '.join(known[:-1])} or {known[-1]}, not '{given}'.")


def _words(file: Path | None) -> tuple[str, ...]:
    """The words of a file, one per line."""
    if file is None:
        return ()
    try:
        return tuple(line.strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    except (OSError, UnicodeDecodeError):
        raise UserError(f"'{file}' cannot be read; --refused-names wants a file of words, one per line.") from None


def _check(settings: Any, json: bool) -> None:
    """Report what is wrong with the settings; exit 2 if the server could not start."""
    from dieselfront.server.self_check import check

    findings = check(settings)
    errors = [finding for finding in findings if finding.level == "error"]
    if json:
        print_json({"ok": not errors, "findings": [finding._asdict() for finding in findings]})
    else:
        for finding in findings:
            typer.echo(f"{finding.level}: {finding.about}: {finding.text}")
        typer.echo("The server can start." if not errors else "The server cannot start so.")
    if errors:
        raise typer.Exit(2)

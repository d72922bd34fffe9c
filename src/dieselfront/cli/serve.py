"""`dieselfront serve`: the web app on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dieselfront.cli.errors import UserError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(serve)


def serve(
    host: Annotated[str, typer.Option("--host", help="Where to listen; 0.0.0.0 for your whole network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="The port; 0 takes any free one.")] = 8047,
    database: Annotated[
        str,
        typer.Option(
            "--database",
            "-d",
            envvar="DIESELFRONT_DATABASE",
            help="Where games are kept: a file, or postgresql://USER@HOST/NAME. By default a file in your own folder.",
        ),
    ] = "",
    public_url: Annotated[
        str, typer.Option("--public-url", help="The server's address for links in notifications.")
    ] = "",
    allow_host: Annotated[
        list[str] | None, typer.Option("--allow-host", help="A name the server answers to; may be given several times.")
    ] = None,
    proxy: Annotated[str, typer.Option("--proxy", help="Addresses of reverse proxies to believe, with commas.")] = "",
    thinkers: Annotated[
        int | None,
        typer.Option("--thinkers", min=0, max=64, help="Processes in which computer opponents think."),
    ] = None,
    sockets: Annotated[int, typer.Option("--sockets", min=1, help="WebSockets one address may hold open.")] = 64,
    no_webhooks: Annotated[bool, typer.Option("--no-webhooks", help="Send no notifications to the web.")] = False,
    private_webhooks: Annotated[
        bool, typer.Option("--private-webhooks", help="Let notifications go to addresses in your own network too.")
    ] = False,
    web: Annotated[Path | None, typer.Option("--web", help="The folder of the built browser app.")] = None,
    log: Annotated[str, typer.Option("--log", help="How much is told: error, warning, info or debug.")] = "warning",
) -> None:
    """Start the web app: play in a browser, alone or with friends. Ctrl-C stops it.

    Games are kept as they are played; start it again and they go on.
    """
    from dieselfront.server.run import CannotServe, run
    from dieselfront.server.settings import Limits, Settings

    if log not in ("error", "warning", "info", "debug"):
        raise UserError(f"--log is error, warning, info or debug, not '{log}'.")
    if web is not None and not web.is_dir():
        raise UserError(f"'{web}' is not a folder; --web wants the folder of the built browser app.")
    limits = Limits(sockets_per_address=sockets, connections_per_address=max(256, sockets + 64))
    settings = Settings(
        host=host,
        port=port,
        database=database,
        public_url=public_url,
        allowed_hosts=tuple(allow_host or ()),
        proxies=proxy,
        thinkers=thinkers,
        webhooks=not no_webhooks,
        private_webhooks=private_webhooks,
        web_folder=str(web) if web is not None else "",
        limits=limits,
    )
    try:
        run(settings, log, tell=typer.echo)
    except CannotServe as error:
        raise UserError(str(error)) from None

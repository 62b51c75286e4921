"""Where the command `omoide` begins: what must be quick is done before anything is imported."""

import sys


def main() -> int:
    """Run a command; see `infra.local.cli`. Returns its exit code where it comes back."""
    if sys.argv[1:2] == ["surface"]:
        from infra.local import quick_surface

        if quick_surface.run(sys.argv[2:]):
            return 0
    elif sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from infra.local import hook

        hook.run(sys.argv[2:])
    from infra.local import cli

    cli.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())

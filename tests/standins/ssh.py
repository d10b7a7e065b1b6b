"""A stand-in for ``ssh``: it runs what it is given on this machine, with a home and a folder for temporary files of its
own. The host's name says what goes wrong, as ssh would tell it (``WRONG``); any other host is well.
"""

from pathlib import Path

WRONG = {
    "nowhere": "ssh: Could not resolve hostname nowhere: Name or service not known",
    "stranger": "Host key verification failed.",
    "locked": "me@locked: Permission denied (publickey).",
    "asleep": "ssh: connect to host asleep port 22: Connection timed out",
    "refusing": "ssh: connect to host refusing port 22: Connection refused",
}

_SCRIPT = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    -T) shift ;;
    -o|-p) shift 2 ;;
    --) shift; break ;;
    *) echo "ssh: unknown option $1" >&2; exit 255 ;;
  esac
done
host=${1#*@}; shift
case $host in
%(wrong)s
esac
HOME=%(root)s/home; TMPDIR=%(root)s/tmp; export HOME TMPDIR
mkdir -p "$HOME" "$TMPDIR"; cd "$HOME" || exit 255
[ -f "$HOME/profile" ] && . "$HOME/profile"
if [ "$host" = cut ] && [ -n "$(ls "$TMPDIR")" ]; then
  sh -c "$*" 2>/dev/null
  echo "client_loop: send disconnect: Broken pipe" >&2; exit 255
fi
if [ "$host" = full ]; then PATH=%(root)s/full:$PATH; export PATH; fi
if [ "$host" = bare ]; then PATH=%(root)s/bare; export PATH; fi
exec /bin/sh -c "$*"
"""


def install(folder: Path) -> Path:
    """Make ``bin/ssh`` in a folder, and what it needs; returns the folder ``bin``. What the other machine's login
    script is to set goes to ``home/profile``."""
    for name in ("bin", "home", "tmp", "full", "bare"):
        (folder / name).mkdir(parents=True)
    wrong = "\n".join(f"  {host}) echo '{said}' >&2; exit 255 ;;" for host, said in WRONG.items())
    _program(folder / "bin" / "ssh", _SCRIPT % {"wrong": wrong, "root": folder})
    _program(folder / "full" / "tar", "#!/bin/sh\necho 'tar: a: Cannot write: No space left on device' >&2\nexit 2\n")
    for name in ("sh", "id", "mktemp", "find", "rm", "env", "readlink", "tar"):  # and no timeout
        found = next(Path(place) / name for place in ("/bin", "/usr/bin") if (Path(place) / name).exists())
        (folder / "bare" / name).symlink_to(found)
    return folder / "bin"


def _program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)

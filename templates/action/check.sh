# The check of action.yml. Reads INPUT_*; writes the SARIF file, a summary of the run, and annotations where nothing is
# uploaded. Exit status: that of `musify-ai check`.
set -uo pipefail

words() { # the words of a text, as a shell would split them, each ended by NUL; nothing in it is run
    python -c 'import shlex, sys; sys.stdout.writelines(word + "\0" for word in shlex.split(sys.argv[1]))' "$1"
}

mapfile -d '' -t paths < <(words "$INPUT_PATHS")
mapfile -d '' -t further < <(words "$INPUT_ARGUMENTS")
[ "${#paths[@]}" -gt 0 ] || paths=(.)

asked=()
if [ -n "$INPUT_SINCE" ]; then
    if git cat-file -e "$INPUT_SINCE^{commit}" 2>/dev/null; then
        asked+=("--since=$INPUT_SINCE")
    else
        echo "::warning::musify-ai: the clone has no commit $INPUT_SINCE, so all findings are shown; give actions/checkout fetch-depth: 0"
    fi
fi
[ -z "$INPUT_FAIL_ON" ] || asked+=("--fail-on=$INPUT_FAIL_ON")

check() { musify-ai check "${asked[@]}" "${further[@]}" "$@" -- "${paths[@]}"; }

check --format=sarif >"$INPUT_SARIF"
status=$?
if [ "$status" -gt 1 ]; then
    rm -f -- "$INPUT_SARIF"
    echo "::error::musify-ai check could not be run; its message stands above"
    exit "$status"
fi
echo "written=true" >>"$GITHUB_OUTPUT"
check --quiet --format=markdown >>"$GITHUB_STEP_SUMMARY" 2>/dev/null || true
[ "$INPUT_UPLOAD" = true ] || check --quiet --format=github 2>/dev/null || true
exit "$status"

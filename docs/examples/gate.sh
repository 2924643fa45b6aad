#!/bin/sh
# Fails a build if a Magic rules engine regresses; for any CI, or for your own machine.
#
#   ENGINE="node shim.js" sh gate.sh [more arguments for `conformance run`]
#
# ENGINE       command that starts the engine, or its name in conformance.toml (default: the engine that file
#              names; exits with 2 if there is none; `reference` is the suite's own engine)
# PROFILE      how much to play (default: gate, which is the same each time)
# DIVERGENCES  list of known divergences (default: as set in conformance.toml, or divergences.yaml)
# REPORTS      folder for the reports (default: conformance-results)
# CONFORMANCE  the command itself (default: conformance)
#
# The first time, look at the failures with `conformance run --engine …`, and record them with
# `--update-divergences`. From then on the build fails if a check newly fails, is lost, or is fixed
# but still listed.
set -u

reports=${REPORTS:-conformance-results}
mkdir -p "$reports" || exit 2

set -- --profile "${PROFILE:-gate}" "$@"
if [ -n "${DIVERGENCES:-}" ]; then
    set -- --divergences "$DIVERGENCES" "$@"
elif [ ! -f conformance.toml ] && [ -f divergences.yaml ]; then
    set -- --divergences divergences.yaml "$@"
fi

# An empty name is passed on: conformance.toml then has to name the engine.
"${CONFORMANCE:-conformance}" run --engine "${ENGINE:-}" "$@" \
    --json "$reports/results.json" \
    --junit "$reports/junit.xml" \
    --markdown "$reports/summary.md" \
    --badge "$reports/badge.svg"
code=$?

case $code in
    0) said="the engine agrees, or disagrees only as listed" ;;
    1) said="a check fails that is not listed, or is no longer played; see $reports/summary.md" ;;
    2) said="the command or a file asks for something invalid; see the lines above" ;;
    3) said="the engine did not start, or kept crashing; try: conformance doctor" ;;
    4) said="the list of known divergences is out of date; --update-divergences rewrites it" ;;
    5) said="nothing passed, or too little was played for a result" ;;
    127) said="command not found: ${CONFORMANCE:-conformance}; install the suite, or set CONFORMANCE" ;;
    *) said="the suite itself failed; please report it" ;;
esac
echo "conformance gate: $said (code $code)" >&2
exit "$code"

#!/bin/sh
# Gates a build on the conformance of a Magic rules engine; for any CI, or for your own machine.
#
#   ENGINE="node shim.js" sh gate.sh [further arguments of `conformance run`]
#
# ENGINE       how to start the engine, or its name in conformance.toml (else: what that file says; it ends
#              with 2 if that is nothing, and `reference` means the suite's own engine)
# PROFILE      how much is played (else: gate, which is the same each time)
# DIVERGENCES  the list of known disagreements (else: what conformance.toml says, or divergences.yaml)
# REPORTS      the folder for the reports (else: conformance-results)
# CONFORMANCE  the command itself (else: conformance)
#
# The first time, see what fails with `conformance run --engine …`, and write the list of what is known with
# `--update-divergences`. From then on the build fails if anything new goes wrong, is lost, or is mended
# without being taken off the list.
set -u

reports=${REPORTS:-conformance-results}
mkdir -p "$reports" || exit 2

set -- --profile "${PROFILE:-gate}" "$@"
if [ -n "${DIVERGENCES:-}" ]; then
    set -- --divergences "$DIVERGENCES" "$@"
elif [ ! -f conformance.toml ] && [ -f divergences.yaml ]; then
    set -- --divergences divergences.yaml "$@"
fi

# An empty name is passed on: then only conformance.toml says which engine is meant.
"${CONFORMANCE:-conformance}" run --engine "${ENGINE:-}" "$@" \
    --json "$reports/results.json" \
    --junit "$reports/junit.xml" \
    --markdown "$reports/summary.md" \
    --badge "$reports/badge.svg"
code=$?

case $code in
    0) said="the engine agrees, or disagrees only as listed" ;;
    1) said="something fails that is not listed, or is not played any more; $reports/summary.md says what" ;;
    2) said="something was asked that cannot be; the lines above say what" ;;
    3) said="the engine did not start, or broke again and again; try: conformance doctor" ;;
    4) said="the list of known disagreements is not true any more; --update-divergences writes it anew" ;;
    5) said="nothing passed, or too little was played to say anything" ;;
    127) said="there is no command ${CONFORMANCE:-conformance}; install the suite, or set CONFORMANCE" ;;
    *) said="the suite itself failed; please report it" ;;
esac
echo "conformance gate: $said (code $code)" >&2
exit "$code"

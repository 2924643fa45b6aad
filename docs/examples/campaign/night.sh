#!/bin/sh
# Plays a campaign each night on this machine. Start it with cron (`crontab -e`), for example on weekdays at 10 p.m.:
#
#   0 22 * * 1-5  cd "$HOME/engine" && ENGINE="node shim.js" TIME=8h sh night.sh >> night.log 2>&1
#
# ENGINE       command that starts the engine, or its name in conformance.toml
# TIME         how long to play (default: 8h)
# FOLDER       folder for the campaigns, one for each date (default: campaigns)
# CONFORMANCE  the command itself (default: conformance)
#
# Each night has another seed: its date. Start the script again on the same day to continue a campaign that was
# interrupted. It ends with the exit code of the campaign.
set -u

night=${FOLDER:-campaigns}/$(date +%Y-%m-%d)
campaign() {
    "${CONFORMANCE:-conformance}" campaign "$@"
}

if [ -d "$night" ]; then
    campaign resume "$night"
else
    mkdir -p "${FOLDER:-campaigns}" || exit 2
    campaign start "$night" --engine "${ENGINE:?set ENGINE to the command of your engine}" \
        --for "${TIME:-8h}" --seed "$(date +%Y%m%d)"
fi
code=$?

# What was found before an interruption is worth reading, too.
if [ -d "$night" ]; then
    campaign report "$night" || exit
fi
exit "$code"

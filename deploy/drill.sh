#!/bin/sh
# Tests a backup: restores it into a throw-away database, starts the server on that, and recounts
# all figures. Leaves no copy. Sends neither the backup nor the key of the copy through a port, where
# another program could listen.
# Usage: deploy/drill.sh FILE.gz
# Exit code: 0 if the backup is good, 2 for wrong usage, otherwise 1.
set -eu
test $# -eq 1 || { echo "Usage: deploy/drill.sh FILE.gz" >&2; exit 2; }
backup=$(realpath -- "$1")
cd "$(dirname -- "$0")/.."
# `env -i` hides the operator's settings.
env -i "PATH=$PATH" "TMPDIR=${TMPDIR:-/tmp}" ./backboard rehearse "$backup" || exit 1
echo "The backup is good."

#!/bin/sh
# Tests a backup: restores it into a throw-away installation and recounts all figures. Leaves no
# copy.
# Usage: deploy/drill.sh FILE.gz
# Exit code: 0 if the backup is good, 2 for wrong usage, otherwise 1.
set -eu
test $# -eq 1 || { echo "Usage: deploy/drill.sh FILE.gz" >&2; exit 2; }
backup=$(realpath -- "$1")
cd "$(dirname -- "$0")/.."

folder=$(mktemp -d)
server=
finish() {
  code=$?
  trap - EXIT HUP INT TERM
  if test -n "$server"; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf -- "$folder"
  exit "$code"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# Use an embedded database and new keys. `env -i` hides the operator's settings. With a client id,
# no stand-in for Google starts. No mail server listens on port 1, so players get no mail; without
# SMTP_URL every account of this computer could read their mails (P46).
port=${PORT:-3999}
set -- env -i "PATH=$PATH" "TMPDIR=${TMPDIR:-/tmp}" "DATA_DIR=$folder/data" "PORT=$port" \
  "BACKBOARD_URL=http://127.0.0.1:$port" DEMO=0 GOOGLE_CLIENT_ID=drill GOOGLE_CLIENT_SECRET=drill \
  SMTP_URL=smtp://127.0.0.1:1
"$@" node_modules/.bin/node server/main.ts >"$folder/log" 2>&1 &
server=$!
until "$@" ./backboard league list >/dev/null 2>&1; do
  kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 1
done

"$@" ./backboard restore "$backup" --yes
recount=$("$@" ./backboard rebuild)
echo "$recount"
case $recount in
  *"nothing had to change."*) echo "The backup is good." ;;
  *) echo "The figures in the backup were wrong. Please report it." >&2; exit 1 ;;
esac

#!/bin/sh
# A gate for a pull request that changes rules: four shards at once, each on a sandbox and in a home of its own, as on four
# machines; then one run, compared with verdicts.lock. Exits as "verdict run merge" does: 0, or 8 for any difference.
#
#   pipeline.sh [--update] [RULES]
#
# A sandbox counts only the payments of its shard: here CARD_COUNT_1H hits 4 payments, and 79 in one replay of them all. So
# verdicts.lock belongs to four shards, and --update writes it by the same pipeline; limits of counts are better judged in
# one replay, which sends thousands of payments in a few seconds, too.
#
# VERDICT is the command to run; SUMMARY is where the Markdown goes, e.g. $GITHUB_STEP_SUMMARY.
set -u
update=
if [ "${1-}" = --update ]; then update=--update; shift; fi
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
rules=${1-$here/rules.yaml}
case $rules in /*) ;; *) rules=$PWD/$rules ;; esac
lock=${LOCK-$here/verdicts.lock}
verdict=${VERDICT-verdict}
shards=4

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
node "$here/payments.mjs" >"$work/payments.ndjson" || exit 1

# On each machine: replay one part, and keep the run as an artifact.
replay_shard() {
  home=$work/machine-$1
  # The sources of all shards have the same name.
  cd "$work" || return
  $verdict --home "$home" replay payments.ndjson --isolated --rules "$rules" --shard "$1/$shards" || return
  $verdict --home "$home" run export last --output "shard-$1.ndjson"
}
jobs=
for part in $(seq "$shards"); do
  replay_shard "$part" >"$work/log-$part" 2>&1 &
  jobs="$jobs $!"
done
failed=
part=0
for job in $jobs; do
  part=$((part + 1))
  wait "$job" || { failed=$?; echo "Shard $part failed:"; cat "$work/log-$part"; }
done
[ -z "$failed" ] || exit "$failed"

# On one machine: collect the artifacts, and judge them as one run.
home=$work/judge
runs=$($verdict --home "$home" run import "$work"/shard-*.ndjson --json | sed -n 's/.*"run":"\([^"]*\)".*/\1/p')
$verdict --home "$home" run merge $runs --golden "$lock" $update --report "md=$work/summary.md"
status=$?
if [ -f "$work/summary.md" ]; then
  if [ -n "${SUMMARY-}" ]; then cat "$work/summary.md" >>"$SUMMARY"; else cat "$work/summary.md"; fi
fi
exit "$status"

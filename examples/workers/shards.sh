#!/bin/sh
# Four shards of one replay at once, as four jobs of a pipeline, on one sandbox that several workers share: each has a tenant of
# its own, so that none meets the payments, the clock or the rules of another. Then one run of them all.
#
#   shards.sh [RULES]
#
# VERDICT is the command to run; ADMIN is the one that administers the sandbox, where STATE is the local
# folder of a worker; URL is the balancer.
set -u
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
rules=${1-$here/../ci/rules.yaml}
case $rules in /*) ;; *) rules=$PWD/$rules ;; esac
verdict=${VERDICT-verdict}
admin=${ADMIN-podman compose exec -T one verdict}
state=${STATE-/var/lib/verdict/local}
url=${URL-http://127.0.0.1:8787}
shards=4

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
node "$here/../ci/payments.mjs" >"$work/payments.ndjson" || exit 1

replay_shard() {
  home=$work/machine-$1
  tenant=ci-$$-$1
  cd "$work" || return
  # Gone with all that is in it, whether or not this job comes to its end.
  $admin sandbox tenant create "$tenant" --ttl 1h --rules /dev/stdin --state "$state" <"$rules" || return
  panel=$($admin sandbox panel --json --tenant "$tenant" --state "$state") || return
  company=$(printf %s "$panel" | sed -n 's/.*"company_id":"\([^"]*\)".*/\1/p')
  key=$(printf %s "$panel" | sed -n 's/.*"key_id":"\([^"]*\)".*/\1/p')
  $verdict --home "$home" profile add shared --base-url "$url" --credential-wait 5s || return
  $admin sandbox panel --secret "$key" --tenant "$tenant" --state "$state" |
    $verdict --home "$home" vault add --profile shared --key-id "$key" --company-id "$company" --secret-stdin || return
  $verdict --home "$home" project register --profile shared --merchant-id shop --name Shop --currency UAH --risk-level medium --wait || return
  $verdict --home "$home" replay payments.ndjson --profile shared --shard "$1/$shards" || return
  $verdict --home "$home" run export last --output "shard-$1.ndjson" || return
  $admin sandbox tenant remove "$tenant" --yes --state "$state"
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

home=$work/judge
runs=$($verdict --home "$home" run import "$work"/shard-*.ndjson --json | sed -n 's/.*"run":"\([^"]*\)".*/\1/p')
$verdict --home "$home" run merge $runs

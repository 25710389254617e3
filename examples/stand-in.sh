# A stand-in for your service, to practise with: `. ./stand-in.sh` starts `verdict serve` on a free port, registers a project
# there, and sets what your own panel would give you: BASE_URL, KEY_ID, PROJECT_ID and SECRET. `stand_in_end` ends it.

stand_in=$(mktemp -d)
verdict serve --port 0 --ephemeral --credential-delay 0 --state "$stand_in/state" >"$stand_in/out" 2>"$stand_in/log" &
stand_in_pid=$!

stand_in_end() {
  kill "$stand_in_pid"
  wait "$stand_in_pid"
  rm -rf "$stand_in"
}

# The first text with this key in JSON.
stand_in_text() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$2" | head -n 1; }

until grep -q '^Integration keys' "$stand_in/out" || ! kill -0 "$stand_in_pid"; do sleep 0.1; done
BASE_URL=$(sed -n 's/.*listens on \(http:[^ ]*\).*/\1/p' "$stand_in/out")

# As a colleague did before you: a project registered from a home of its own.
stand_in_keys=$stand_in/state/integration-keys.json
stand_in_panel() { verdict --home "$stand_in/panel" "$@"; }
{
  stand_in_panel profile add panel --base-url "$BASE_URL" --credential-wait 0
  stand_in_panel profile use panel
  stand_in_text secret "$stand_in_keys" | stand_in_panel vault add --secret-stdin \
    --key-id "$(stand_in_text key_id "$stand_in_keys")" --company-id "$(stand_in_text company_id "$stand_in_keys")"
  stand_in_panel project register --merchant-id my-shop --name "My shop" --currency UAH --risk-level medium --wait
} >>"$stand_in/log" 2>&1
stand_in_panel vault list --json | grep project_credential >"$stand_in/credential"
KEY_ID=$(stand_in_text key_id "$stand_in/credential")
PROJECT_ID=$(stand_in_text project_id "$stand_in/credential")
SECRET=$(stand_in_panel vault show "$(stand_in_text id "$stand_in/credential")" --raw)

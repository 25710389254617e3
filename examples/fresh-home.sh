# A home to try a page in, apart from your own data: `. ./fresh-home.sh` sets VERDICT_HOME to a temporary folder and registers
# the project demo-shop on its sandbox. A new shell, or `unset VERDICT_HOME`, works with your own data again.

VERDICT_HOME=$(mktemp -d)
export VERDICT_HOME
verdict project register --merchant-id demo-shop --name "Demo shop" --currency UAH --risk-level medium --wait --quiet >/dev/null

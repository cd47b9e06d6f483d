#!/usr/bin/env bash
# The step of action.yml. Whatever it is given comes as environment variables, so that nothing of it is taken for a command.
set -euo pipefail

fail() {
  echo "::error::$1"
  exit 1
}

if [[ -n $PACKAGE ]]; then
  [[ $PACKAGE == *.tgz ]] || fail 'package must be the path or the address of a .tgz tarball'
else
  [[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || fail 'version must be an exact version, such as 0.1.0'
  PACKAGE=@dpa/cli@$VERSION
fi

# One a line: split there alone, then wildcards are expanded.
shopt -s nullglob globstar
IFS=$'\n'
# shellcheck disable=SC2206
plans=($PLANS)
unset IFS
[[ ${#plans[@]} -gt 0 ]] || fail 'plans matches no file: check its paths and wildcards'

if [[ -n $DPA_URL ]]; then
  [[ -n $DPA_ORG || -n $DPA_TOKEN ]] || fail 'org is missing: set it to the ID of your organization'
  [[ -z $RULES ]] || fail 'rules works only without a service: remove rules or url'
  command=(submit --wait)
else
  [[ -z $DPA_ORG$DPA_TOKEN$DPA_AUDIENCE ]] \
    || fail 'url is missing: set it to the address of the service. To analyze plans without a service, remove org, token and audience'
  command=(analyze)
  [[ -z $RULES ]] || command+=(--rules "$RULES")
fi

folder=$(mktemp -d "$RUNNER_TEMP/dpa-XXXXXX")
options=(--report "$folder/result.json" --report "$folder/result.md")
[[ -z $FAIL_ON ]] || options+=(--fail-on "$FAIL_ON")

# The prefix keeps an .npmrc of the repository under review from naming another registry.
code=0
npx --prefix "$folder" --yes --package="$PACKAGE" -- dpa "${command[@]}" "${options[@]}" -- "${plans[@]}" || code=$?

if [[ -f $folder/result.json ]]; then
  cat "$folder/result.md" >>"$GITHUB_STEP_SUMMARY"
  node -e '
    const { risk_level, plans } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    const ids = plans.flatMap(({ job_id }) => (job_id === null ? [] : [job_id]));
    const outputs = { "risk-level": risk_level ?? "", "job-ids": ids.join(","), result: process.argv[1] };
    for (const [name, value] of Object.entries(outputs)) console.log(`${name}=${value.replace(/[\r\n]/g, "")}`);
  ' "$folder/result.json" >>"$GITHUB_OUTPUT"
fi
exit "$code"

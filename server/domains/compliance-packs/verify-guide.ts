import type { Attestation, PackOrg } from './types.ts';

/** AUDIT_LOG_VERIFY.md: how a person without dpa verifies the pack, and the audit log behind it. */
export function verifyGuide(org: PackOrg, { head_seq, head_hash_hex, status, checked }: Attestation): string {
  const state =
    status === 'ok'
      ? `It was intact. Number of verified entries: ${checked}.`
      : `It was NOT intact. Number of entries that were read: ${checked}; the last valid one: ${head_seq}.`;
  return `# How to verify this Compliance Pack

This pack is evidence of organization \`${org.slug}\` (\`${org.id}\`). It is not signed. You can trust it if two checks
succeed: the files match the manifest, and the audit log still contains the entry that the pack names. You need a shell
with the coreutils, and for the second check an access token or an API key of the organization.

## 1. The files are complete and unchanged

Compare the ZIP file with the checksum that the download gave in the header \`X-Checksum-SHA256\`, then unpack it and
check its files:

\`\`\`sh
sha256sum compliance-pack-*.zip
mkdir pack && cd pack && unzip ../compliance-pack-*.zip
sha256sum --check --strict MANIFEST.txt
ls
\`\`\`

\`sha256sum\` must print \`OK\` for every file, and \`ls\` must show no file that is not in MANIFEST.txt, except
MANIFEST.txt itself. Keep the checksum of the ZIP file: it covers the manifest too.

## 2. The audit log is intact, and contains what this pack names

When the pack was built, the service verified the audit log of the organization. ${state}
chain-attestation.json has the number and the hash of that entry:

\`\`\`
head_seq       ${head_seq}
head_hash_hex  ${head_hash_hex === '' ? '(no entry)' : head_hash_hex}
\`\`\`

Ask the service whether the log still has all entries up to that number:

\`\`\`sh
curl -sS -H "x-api-key: $DPA_KEY" "$DPA_URL/api/v2/orgs/${org.id}/audit-log/verify?expected_min_seq=${head_seq}"
\`\`\`

- \`"status": "ok"\` with a \`head_seq\` of ${head_seq} or more: no entry was removed from the end since this pack.
- Status 409: entries are missing at the end.
- \`"status": "broken"\`: an entry was changed or removed.

The service verifies its own log with this request. To verify it yourself, ask the operator for a dump of the audit log
(\`dpa audit dump\`) and check it with a program that you trust. The dump format, the hash, a verifier in Python and test
vectors are in docs/audit-log.md of the dpa repository:

\`\`\`sh
python3 verify_audit_log.py dump.ndjson --expect ${org.id}=${head_seq}${head_hash_hex === '' ? '' : `:${head_hash_hex}`}
\`\`\`

It recomputes every hash, and confirms that entry ${head_seq} has the hash above. All entries up to it are then the ones
that existed when this pack was built.

## 3. One entry, without the others

chain-attestation.json also has the root of a tree over the hashes of all entries (\`tree_root_hex\`, RFC 6962). Whoever
has the audit log can prove one entry with it, without showing any other:

\`\`\`sh
dpa audit prove dump.ndjson --entry ${org.id}=<seq> --pack compliance-pack.zip > proof.json
dpa audit verify --pack compliance-pack.zip --proof proof.json
\`\`\`

docs/audit-log.md of the dpa repository describes the tree and the proof, so that another program can verify it.

If the operator signs checkpoints of the audit log, the one of ${head_seq} entries has the same root. Compare both with the
verifier key of the log:

\`\`\`sh
dpa audit verify --pack compliance-pack.zip --checkpoint checkpoint.txt --key <verifier key>
\`\`\`

## What an entry's hash covers

The hash is the SHA-256 of \`v1\`, a line feed, and the canonical JSON (RFC 8785) of the entry's \`action\`,
\`actor_email\`, \`created_at\`, \`detail\`, \`id\`, \`org_id\`, \`prev_hash\` and \`seq\`. \`prev_hash\` is the hash of
the entry before it, so the last hash depends on all entries.

## What the pack contains

| File | Content |
|---|---|
| summary.pdf | The most important numbers. Only if the service renders PDF files |
| data.json | Everything that the CSV files have, and the decisions of people: disabled rules, suppressions, risk policy, and all changes of rules in the period |
| coverage_monthly.csv | How much of each cloud account is declared as code, month by month |
| findings.csv | Differences between cloud and code that existed in the period |
| remediation_sla.csv | How fast findings were resolved |
| scans.csv | Scans and analyses of the period |
| custom_rules.csv | The organization's own rules |
| state_sources.csv | Where the states are stored, without credentials |
| chain-attestation.json | The end of the audit log when the pack was built |

The pack does not contain entries of the audit log, sign-ins, or secrets. A text in a CSV file that a spreadsheet would
run as a formula has an apostrophe before it; data.json has the text as it is.
`;
}

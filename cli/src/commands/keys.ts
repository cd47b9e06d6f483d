import type { Schemas } from '../../../sdk/src/index.ts';
import { type ConnectionOptions, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import { type Format, print } from '../output.ts';
import { writeTable } from '../table.ts';

type ApiKey = Schemas['ApiKey'];

/** The scopes that `dpa submit` needs. */
const CI_SCOPES: Schemas['Scope'][] = ['analysis:write', 'analysis:read'];
const DAY_MS = 86_400_000;
const MOST_DAYS = 366;

export interface CreateKeyOptions extends ConnectionOptions {
  name: string;
  scope?: Schemas['Scope'][];
  expires: string;
  format: Format;
}

export interface ListKeysOptions extends ConnectionOptions {
  all?: boolean;
  format: Format;
}

/** Creates an API key and prints only the key, so that `KEY=$(dpa keys create …)` works. Details go to standard error. */
export async function createKey({ name, scope = CI_SCOPES, expires, ...options }: CreateKeyOptions): Promise<void> {
  const expires_at = parseExpiry(expires, new Date());
  const { dpa, org_id } = await openConnection(options);
  const created = await dpa.apiKeys.create({ org_id, name, scopes: scope, expires_at });
  const { key, id } = created;
  if (key === undefined) {
    throw new Failure(`the response with the key was lost: revoke the key ${id} and create another one`);
  }
  print(options, created, () => `${key}\n`);
  const end = created.expires_at === null ? 'never expires' : `expires at ${created.expires_at}`;
  process.stderr.write(
    `created the key "${name}" (${id}) with ${created.scopes.join(', ')}; it ${end} and is shown only once\n`,
  );
}

/** Prints the API keys of the organization, newest first. */
export async function listKeys(options: ListKeysOptions): Promise<void> {
  const { dpa, org_id } = await openConnection(options);
  const keys: ApiKey[] = [];
  const query = { include_revoked: options.all === true, limit: 200 };
  for await (const key of dpa.apiKeys.list({ org_id, ...query })) keys.push(key);
  const head = ['ID', 'BEGINS', 'STATUS', 'EXPIRES', 'LAST USED', 'SCOPES', 'NAME'];
  const now = new Date();
  print(options, keys, () =>
    keys.length === 0
      ? 'no keys; run `dpa keys create` to create one\n'
      : writeTable(
          head,
          keys.map((key) => toRow(key, now)),
        ),
  );
}

function toRow(key: ApiKey, now: Date): string[] {
  const { id, key_prefix, expires_at, last_used_at, scopes, name } = key;
  const day = (at: string | null) => at?.slice(0, 10) ?? 'never';
  return [id, key_prefix, deriveStatus(key, now), day(expires_at), day(last_used_at), scopes.join(','), name];
}

function deriveStatus({ revoked_at, expires_at }: ApiKey, now: Date): string {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'active';
}

/**
 * Parses the expiry of a key.
 *
 * @param text `90d`, a date or `never`
 * @returns null for never
 * @throws Failure
 */
function parseExpiry(text: string, now: Date): string | null {
  if (text === 'never') return null;
  const days = /^(\d{1,3})d$/.exec(text)?.[1];
  const at = days === undefined ? new Date(text) : new Date(now.getTime() + Number(days) * DAY_MS);
  const ahead_ms = at.getTime() - now.getTime();
  if (ahead_ms > 0 && ahead_ms <= MOST_DAYS * DAY_MS) return at.toISOString();
  throw new Failure(
    `--expires ${text}: use a number of days such as 90d, a date such as 2027-01-31, or never; at most ${MOST_DAYS} days`,
  );
}

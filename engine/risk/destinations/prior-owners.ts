/** The owners that the prior values of a resource name. */
import { marksWhole, maskAt } from '../../changes/overlay.ts';
import type { ResourceChange } from '../../changes/types.ts';
import { memoizeText } from '../../lib/memoize.ts';
import type { JsonValue } from '../../model/result.ts';
import type { Mask } from '../../plan/types.ts';
import { isSecretName } from '../../redact/secrets.ts';
import { readNamedPlace, readPlace } from './places.ts';

/** Values of one resource that are read; more are rare and repeat the same owners. */
const MAX_VALUES = 1_000;
const MAX_DEPTH = 12;
/** Records and zones of DNS, and certificates, are about names of ours. */
const NAMES_ZONE = /_(?:record|recordset|record_set|records|zone|managed_zone|hosted_zone|dns_[a-z_]{1,30})$/;

const namesSecret = memoizeText((name) => isSecretName([name]));

/** An owner as in `Place`. `hidden`: the value is marked as sensitive, or its name says that it is a secret. */
export type ReportOwner = (owner: string, hidden: boolean) => void;

/** Reports each owner as often as it occurs, in time linear in the size of the values. */
export function readPriorOwners(
  { before, before_sensitive, type, provider }: ResourceChange,
  report: ReportOwner,
): void {
  if (before === null) return;
  let left = MAX_VALUES;
  const visit = (value: JsonValue, name: string, mask: Mask, depth: number): void => {
    if (left <= 0) return;
    if (typeof value === 'string') {
      left -= 1;
      const owner = mayNameOwner(value) ? readNamedPlace(value, name)?.owner : undefined;
      if (owner !== undefined && owner !== '') report(owner, mask === true || namesSecret(name));
    } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      const whole = marksWhole(mask, value);
      const inner = (key: string | number): Mask => (whole ? true : maskAt(mask, key));
      if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, name, inner(i), depth + 1);
      else for (const key of Object.keys(value)) visit(value[key]!, key, inner(key), depth + 1);
    }
  };
  visit(before, '', before_sensitive, 0);
  const reportNamed = (name: string, kind: string): void => {
    const value = before[name];
    if (typeof value === 'string' && value !== '') report(`${kind}:${value}`, maskAt(before_sensitive, name) === true);
  };
  if (provider === 'google' || type.startsWith('google_')) reportNamed('project', 'project');
  if (provider === 'aws') reportNamed(typeof before['account_id'] === 'string' ? 'account_id' : 'owner_id', 'account');
  reportNamed('bucket', 'bucket');
  const zone = NAMES_ZONE.test(type) ? readPlace(toHost(before['name'] ?? before['dns_name'] ?? before['zone'])) : null;
  if (zone !== null && zone.owner !== '') report(zone.owner, before_sensitive === true);
}

function toHost(name: JsonValue | undefined): JsonValue | undefined {
  return typeof name === 'string' ? name.replace(/\.$/, '') : undefined;
}

/**
 * Whether a text can be a place: every place has one of these signs, except an account, which is a number of twelve
 * digits. A loop, because most texts of a plan are short.
 */
function mayNameOwner(value: string): boolean {
  if (value.length === 12) return true;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code === DOT || code === SLASH || code === COLON || code === AT) return true;
  }
  return false;
}

const [DOT, SLASH, COLON, AT] = [0x2e, 0x2f, 0x3a, 0x40];

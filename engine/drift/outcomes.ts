/** Decides about resources of the states that were not found. */
import type { Ledger } from './ledger.ts';
import type { Entry } from './state-index.ts';
import { toTypeKey } from './type-rules.ts';
import type { DriftAccount, NotChecked } from './types.ts';

/** Types inside other types that Resource Graph lists like others. */
const LISTED_CHILDREN: ReadonlySet<string> = new Set([
  'microsoft.resources/subscriptions/resourcegroups',
  'microsoft.sql/servers/databases',
  'microsoft.sql/servers/elasticpools',
  'microsoft.sql/managedinstances/databases',
  'microsoft.compute/virtualmachines/extensions',
  'microsoft.compute/galleries/images',
  'microsoft.web/sites/slots',
  'microsoft.cdn/profiles/endpoints',
  'microsoft.network/privatednszones/virtualnetworklinks',
  'microsoft.automation/automationaccounts/runbooks',
  'microsoft.cache/redisenterprise/databases',
]);

type Unknown = Pick<NotChecked, 'code' | 'reason'>;

export interface Seen {
  ledger: Ledger;
  account: DriftAccount;
  /** Types of which the inventory has at least one resource. */
  types: ReadonlySet<string>;
}

/** Why it is not known whether the object of an entry exists; null if it is missing. */
export function explainUnknown({ rule, region }: Entry, { ledger, account, types }: Seen): Unknown | null {
  if (rule === null)
    return { code: 'unknown_type', reason: 'No rule says how to find resources of this type in the cloud.' };
  const gap = ledger.findGap(rule.cloud_types, region);
  if (gap !== null) return { code: 'unread', reason: gap };
  const is_seen = rule.cloud_types.some((type) => types.has(toTypeKey(account.provider, type)));
  if (account.provider === 'azure' && !is_seen && !rule.cloud_types.some(isListed))
    return { code: 'not_listed', reason: 'Resource Graph does not list this type.' };
  if (!rule.is_proven)
    return { code: 'unproven_rule', reason: 'It was not found, but how the cloud names this type is not certain.' };
  return null;
}

function isListed(cloud_type: string): boolean {
  return cloud_type.split('/').length === 2 || LISTED_CHILDREN.has(cloud_type);
}

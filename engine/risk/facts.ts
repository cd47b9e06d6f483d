import type { ResourceChange } from '../changes/types.ts';
import type { JsonObject } from '../result.ts';
import { traitsOf } from './traits.ts';
import type { PlanFacts } from './types.ts';

const ACCOUNT_ID = /^\d{12}$/;
const ACCOUNT_ATTRIBUTES = ['owner_id', 'account_id'];
const IDENTITY_ATTRIBUTES = ['id', 'arn', 'name', 'bucket'];

/**
 * Collects what single rules need to know of the whole plan. Reads a handful of top-level texts per change.
 *
 * `facts` is live: complete once the last change was observed.
 */
export function createPlanFacts(): { observe(change: ResourceChange): void; facts: PlanFacts } {
  const accounts = new Set<string>();
  const destroyed = new Set<string>();

  function observe(change: ResourceChange): void {
    const { before, after, action, mode, deposed, type, provider } = change;
    if (provider === 'aws' && !traitsOf(type).foreign_account) {
      if (before !== null) collectAccounts(before, accounts);
      if (after !== null) collectAccounts(after, accounts);
    }
    if (action === 'delete' && mode === 'managed' && deposed === null && before !== null && canBeProtected(type)) {
      collectIdentity(before, destroyed);
    }
  }

  return { observe, facts: { accounts, destroyed } };
}

function collectAccounts(values: JsonObject, accounts: Set<string>): void {
  const arn = textAt(values, 'arn');
  if (arn?.startsWith('arn:')) addAccount(accountOf(arn), accounts);
  for (const attribute of ACCOUNT_ATTRIBUTES) addAccount(textAt(values, attribute), accounts);
}

/** The fifth part of `arn:partition:service:region:account:resource`. */
function accountOf(arn: string): string | undefined {
  let start = 0;
  for (let part = 0; part < 4; part++) {
    start = arn.indexOf(':', start) + 1;
    if (start === 0) return undefined;
  }
  const end = arn.indexOf(':', start);
  return end < 0 ? arn.slice(start) : arn.slice(start, end);
}

function addAccount(text: string | undefined, accounts: Set<string>): void {
  if (text !== undefined && ACCOUNT_ID.test(text)) accounts.add(text);
}

function collectIdentity(values: JsonObject, destroyed: Set<string>): void {
  for (const attribute of IDENTITY_ATTRIBUTES) {
    const text = textAt(values, attribute);
    if (text !== undefined && text !== '') destroyed.add(text);
  }
}

/** Guards and relations are not what a guard protects: one that is deleted must not excuse itself. */
function canBeProtected(type: string): boolean {
  const { categories, kind, link, borrowed_id } = traitsOf(type);
  if (link || kind === 'part' || borrowed_id) return false;
  return !categories.includes('security') || categories.includes('stateful') || categories.includes('network');
}

function textAt(values: JsonObject, attribute: string): string | undefined {
  const value = Object.hasOwn(values, attribute) ? values[attribute] : undefined;
  return typeof value === 'string' ? value : undefined;
}

import { codeSpan } from './render/inert.ts';
import type { Change, PlanAnalysis } from './result.ts';
import { isAtLeast } from './risk/levels.ts';

const MAX_CHECKS = 5;
const MAX_NAMED = 2;

/** How the list of what to check begins, whoever wrote it. */
export const CHECKS_TITLE = 'Before approving:';

/** One item of the list, and the addresses it names. */
export interface Check {
  text: string;
  addresses: string[];
}

interface CheckTemplate {
  appliesTo(change: Change): boolean;
  format(names: string, many: boolean): string;
}

/** In the order of what would be worst to overlook. */
const CHECK_TEMPLATES: readonly CheckTemplate[] = [
  {
    appliesTo: (change) => destroys(change) && has(change, 'stateful') && !has(change, 'encryption'),
    format: (names) => `Check that the data in ${names} is backed up elsewhere, or no longer needed`,
  },
  {
    appliesTo: (change) => destroys(change) && has(change, 'encryption'),
    format: (names) => `Check that nothing depends on ${names} to decrypt or to log in`,
  },
  {
    appliesTo: (change) => finds(change, /^R-(?:NET-OPEN|NET-WIDEN|NET-PUBLICIP|DB-PUBLIC|STO-PUBLIC|K8S-PUBLICAPI)$/),
    format: (names, many) => `Check that ${names} ${many ? 'are' : 'is'} meant to be that open`,
  },
  {
    appliesTo: (change) => finds(change, /^R-IAM-/),
    format: (names) => `Check who gains access through ${names}, and that all of it is needed`,
  },
  {
    appliesTo: givesUpProtection,
    format: (names, many) =>
      `Confirm that ${names} no longer ${many ? 'need' : 'needs'} this protection, or ${many ? 'have' : 'has'} it elsewhere`,
  },
  {
    appliesTo: (change) => finds(change, /^R-(?:CMP-SCALE0|DNS-APEX|NET-ROUTE)$/),
    format: (names, many) => `Check that ${names} ${many ? 'serve' : 'serves'} nobody right now`,
  },
  {
    appliesTo: (change) =>
      destroys(change) && !has(change, 'stateful') && !has(change, 'encryption') && !givesUpProtection(change),
    format: (names) => `Check that nothing uses ${names}, or that an interruption is acceptable`,
  },
  {
    appliesTo: (change) => finds(change, /^R-DB-ENGINE$/),
    format: (names) => `Check that whatever uses ${names} works with the new version`,
  },
  {
    appliesTo: (change) => finds(change, /^R-UNKNOWN-WATCHED$/),
    format: (names) => `Look at the values of ${names} once they are known, after the apply`,
  },
];

/**
 * What the person who approves should look at, worst first: at most five items of one line each. Empty when no change is of
 * level medium or above and the plan is whole.
 *
 * @param write how the name of a resource is written; as code of Markdown unless given
 */
export function buildChecks(
  { changes, summary }: Pick<PlanAnalysis, 'changes' | 'summary'>,
  write: (address: string) => string = codeSpan,
): Check[] {
  const nameAll = (addresses: readonly string[]) => nameFirst(addresses, write);
  const grave = changes.filter(({ risk }) => isAtLeast(risk.level, 'medium'));
  const checks = CHECK_TEMPLATES.flatMap(({ appliesTo, format }) => {
    const addresses = grave.filter(appliesTo).map(({ address }) => address);
    return addresses.length === 0 ? [] : [buildCheck(format(nameAll(addresses), addresses.length > 1), addresses)];
  });
  const reverted = changes.filter(({ reverts_drift }) => reverts_drift).map(({ address }) => address);
  if (reverted.length > 0) {
    checks.push(
      buildCheck(`Ask whoever changed ${nameAll(reverted)} outside the code whether that may be undone`, reverted),
    );
  }
  if (summary.plan_errored === true)
    checks.push(buildCheck('Fix the error and plan again: what this plan leaves out is not known'));
  else if (summary.deferred > 0)
    checks.push(buildCheck('Look at the deferred changes in the plan that follows this one'));
  return checks.slice(0, MAX_CHECKS);
}

function buildCheck(text: string, addresses: string[] = []): Check {
  return { text: `${text}.`, addresses: addresses.slice(0, MAX_NAMED) };
}

function nameFirst(addresses: readonly string[], write: (address: string) => string): string {
  const named = addresses.slice(0, MAX_NAMED).map((address) => write(shorten(address)));
  const more = addresses.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(' and ');
}

/** Both ends of an address say what it is. */
function shorten(address: string): string {
  return address.length <= 160 ? address : `${address.slice(0, 79)}…${address.slice(-80)}`;
}

function destroys({ action, actions }: Change): boolean {
  return action === 'delete' || (action === 'replace' && actions.includes('delete'));
}

function givesUpProtection(change: Change): boolean {
  if (destroys(change) && has(change, 'security')) return true;
  return finds(
    change,
    /^R-(?:LOG-OFF|SEC-|ENC-|TLS-|CMP-PRIV|DEL-PROTECT|DB-BACKUP|DB-SKIPSNAP|DB-MULTIAZ|STO-EXPIRE|STO-VERSIONING)/,
  );
}

function has({ categories }: Change, category: Change['categories'][number]): boolean {
  return categories.includes(category);
}

function finds({ risk }: Change, rules: RegExp): boolean {
  return risk.reasons.some(({ rule_id, level }) => rules.test(rule_id) && isAtLeast(level, 'medium'));
}

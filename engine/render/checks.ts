import { isAtLeast } from '../model/levels.ts';
import { isGone } from '../model/live-texts.ts';
import type { Change, PlanAnalysis } from '../model/result.ts';
import { codeSpan } from './inert.ts';

const MAX_CHECKS = 5;
const MAX_NAMED = 2;

/** Heading of the checklist, whether rules or a model wrote it. */
export const CHECKS_TITLE = 'Before approving:';

/** One checklist item and the addresses it names. */
export interface Check {
  text: string;
  addresses: string[];
}

interface CheckTemplate {
  appliesTo(change: Change): boolean;
  format(names: string, many: boolean): string;
}

/** Most severe first. */
const CHECK_TEMPLATES: readonly CheckTemplate[] = [
  {
    appliesTo: (change) => destroys(change) && has(change, 'stateful') && !has(change, 'encryption'),
    format: (names) => `Check that the data in ${names} is backed up elsewhere, or no longer needed`,
  },
  {
    appliesTo: (change) => destroys(change) && has(change, 'encryption'),
    format: (names) => `Check that nothing needs ${names} to decrypt data or to log in`,
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
    format: (names) => `Confirm that no traffic depends on ${names} right now`,
  },
  {
    appliesTo: (change) =>
      destroys(change) && !has(change, 'stateful') && !has(change, 'encryption') && !givesUpProtection(change),
    format: (names) => `Check that nothing uses ${names}, or that an interruption is acceptable`,
  },
  {
    appliesTo: (change) => finds(change, /^R-DB-ENGINE$/),
    format: (names) => `Check that everything that uses ${names} works with the new version`,
  },
  {
    appliesTo: (change) => finds(change, /^R-UNKNOWN-WATCHED$/),
    format: (names) => `Check the values of ${names} after the apply, when they are known`,
  },
];

/**
 * Checklist for the approver, most severe first: at most five one-line items. Empty if no change is of level medium or
 * above and the plan is complete.
 *
 * @param write formats a resource address; default: a Markdown code span
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
      buildCheck(
        `Confirm with the person who changed ${nameAll(reverted)} outside of IaC that the change can be undone`,
        reverted,
      ),
    );
  }
  const gone = changes.filter(isGone).map(({ address }) => address);
  if (gone.length > 0) {
    checks.push(buildCheck(`Refresh the state before the apply: the last scan did not find ${nameAll(gone)}`, gone));
  }
  if (summary.plan_errored === true) checks.push(buildCheck('Fix the error and plan again: this plan is incomplete'));
  else if (summary.deferred > 0) checks.push(buildCheck('Review the deferred changes in the next plan'));
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

/** Removes the middle of a long address: both ends identify it. */
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

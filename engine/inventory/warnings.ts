import { plural } from '../model/counts.ts';
import type { InventoryAccount } from './types.ts';

const ACCOUNTS = { aws: 'AWS accounts', gcp: 'Google Cloud projects', azure: 'Azure subscriptions' } as const;
const MAX_NAMED = 5;

/** What the files together contradict, as sentences. */
export function describeContradictions(
  accounts: readonly InventoryAccount[],
  contradicting: readonly string[],
): string[] {
  return [...describeAccounts(accounts), ...describeValues(contradicting)];
}

function describeAccounts(accounts: readonly InventoryAccount[]): string[] {
  return Object.entries(ACCOUNTS).flatMap(([provider, noun]) => {
    const found = accounts.filter((one) => one.provider === provider).map(({ account_id }) => account_id);
    if (found.length < 2) return [];
    return [
      `The files show resources of ${found.length} ${noun}: ${nameSome(found.sort())}. Compare them with the states of all of them, or leave out the files of the others.`,
    ];
  });
}

function describeValues(contradicting: readonly string[]): string[] {
  if (contradicting.length === 0) return [];
  return [
    `Files show different values of ${plural(contradicting.length, 'resource')}: ${nameSome(contradicting)}. They were probably written at different times: delete the older ones.`,
  ];
}

function nameSome(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

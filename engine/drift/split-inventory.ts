/** Splits an inventory into the accounts that a drift computation compares one by one. */
import type { Inventory, InventoryListing, NotChecked } from '../inventory/types.ts';
import { groupBy } from '../lib/group-by.ts';
import { plural } from '../model/counts.ts';
import type { AccountPart, CloudProvider, DriftAccount, LiveResource, UnreadPart } from './types.ts';

/** An account that resources of the states belong to. */
export interface StateOwner {
  provider: CloudProvider;
  /** Null if the resources do not name it. */
  account_id: string | null;
  resource_count: number;
}

export interface ListedAccount {
  account: DriftAccount;
  resources: readonly LiveResource[];
}

export interface SplitInventory {
  accounts: ListedAccount[];
  /** What was left out and why, as sentences. */
  warnings: string[];
}

const NOUNS = { aws: 'AWS account', gcp: 'Google Cloud project', azure: 'Azure subscription' } as const;
const PROVIDERS = ['aws', 'azure', 'gcp'] as const;

/** @param owners the accounts that the states name; files that name no account are compared with the only one of them */
export function splitInventory(inventory: Inventory, owners: readonly StateOwner[]): SplitInventory {
  const warnings: string[] = [];
  const accounts = PROVIDERS.flatMap((provider) => {
    const part = selectProvider(inventory, provider);
    if (part === null) return [];
    const named = owners.flatMap((one) => (one.provider === provider ? (one.account_id ?? []) : []));
    const choice = chooseAccounts(part, new Set(named), warnings);
    return choice.map((chosen) => toListedAccount(part, chosen));
  });
  return { accounts, warnings };
}

/** What an inventory has of one cloud. */
interface Part extends Pick<Inventory, 'resources' | 'listings' | 'not_checked'> {
  provider: CloudProvider;
  /** Accounts that the files name. */
  ids: string[];
}

function selectProvider(inventory: Inventory, provider: CloudProvider): Part | null {
  const select = <T extends { provider: CloudProvider }>(list: readonly T[]) =>
    list.filter((one) => one.provider === provider);
  const [resources, listings, not_checked] = [
    select(inventory.resources),
    select(inventory.listings),
    select(inventory.not_checked),
  ];
  if (resources.length + listings.length + not_checked.length === 0) return null;
  const ids = [...resources, ...listings].flatMap(({ account_id }) => account_id ?? []);
  return { provider, resources, listings, not_checked, ids: [...new Set(ids)].sort() };
}

interface Chosen {
  external_account_id: string;
  project_number: string | null;
  /** Whether files that name no account are of this one. */
  takes_unnamed: boolean;
}

function chooseAccounts(part: Part, named: ReadonlySet<string>, warnings: string[]): Chosen[] {
  const { ids, listings } = part;
  if (ids.length === 0) return chooseNamed(part, named, warnings);
  const listed = new Set(listings.map(({ account_id }) => account_id));
  const known = ids.filter((id) => listed.has(id) || named.has(id));
  const pool = known.length === 0 ? ids : known;
  const [only] = pool;
  if (pool.length === 1 && only !== undefined) {
    warnOthers(part, [only], warnings);
    return [toChosen(part, only, named, true)];
  }
  const shared = pool.filter((id) => named.has(id));
  const chosen = shared.length === 0 ? pool : shared;
  warnOthers(part, chosen, warnings);
  warnUnnamed(part, warnings);
  return chosen.map((id) => toChosen(part, id, named, false));
}

/** No file names an account: it can only be the one of the states. */
function chooseNamed({ provider }: Part, named: ReadonlySet<string>, warnings: string[]): Chosen[] {
  const [only = 'unknown'] = named;
  const noun = NOUNS[provider];
  if (named.size > 1) {
    warnings.push(
      `The files do not say which ${noun} they are of, and the states have resources of ${named.size}: ${list([...named])}. They were not compared. Pass the states of one account.`,
    );
    return [];
  }
  if (named.size === 1)
    warnings.push(
      `The files do not say which ${noun} they are of. They are compared with the one of the states, ${only}.`,
    );
  return [{ external_account_id: only, project_number: null, takes_unnamed: true }];
}

/** Files of Google Cloud may name a project only by its number, and states name it by its ID. */
function toChosen({ provider, ids }: Part, id: string, named: ReadonlySet<string>, takes_unnamed: boolean): Chosen {
  const free = [...named].filter((one) => !ids.includes(one));
  const is_number = provider === 'gcp' && /^\d+$/.test(id) && free.length === 1 && ids.length === 1;
  const external_account_id = is_number ? (free[0] as string) : id;
  return { external_account_id, project_number: is_number ? id : null, takes_unnamed };
}

function warnOthers({ provider, resources, ids }: Part, chosen: readonly string[], warnings: string[]): void {
  const others = ids.filter((id) => !chosen.includes(id));
  if (others.length === 0) return;
  const count = resources.filter(({ account_id }) => account_id !== null && others.includes(account_id)).length;
  warnings.push(
    `${plural(count, 'resource')} of other accounts (${list(others)}) ${count === 1 ? 'was' : 'were'} left out: no state has resources of ${others.length === 1 ? `that ${NOUNS[provider]}` : 'them'}.`,
  );
}

function warnUnnamed({ provider, resources, listings }: Part, warnings: string[]): void {
  const count = resources.filter(({ account_id }) => account_id === null).length;
  if (count + listings.filter(({ account_id }) => account_id === null).length === 0) return;
  warnings.push(
    `The files are of several accounts, and some do not say of which ${NOUNS[provider]}: they were not compared (${plural(count, 'resource')}). Compare the files of one account at a time.`,
  );
}

function list(names: readonly string[]): string {
  const more = names.length - 5;
  return names.slice(0, 5).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function toListedAccount({ provider, resources, listings, not_checked }: Part, chosen: Chosen): ListedAccount {
  const { external_account_id, project_number, takes_unnamed } = chosen;
  const isOwn = ({ account_id }: { account_id: string | null }) =>
    account_id === null ? takes_unnamed : account_id === external_account_id || account_id === project_number;
  const own = listings.filter(isOwn);
  const account: DriftAccount = {
    provider,
    external_account_id,
    project_number,
    parts: own.filter(({ scope }) => scope !== 'unknown_region').map(toAccountPart),
    unread: [
      ...own.filter(({ scope }) => scope === 'unknown_region').map(toUnplaced),
      ...not_checked.filter((one) => one.account_id === null || isOwn(one)).map(toUnread),
    ],
  };
  return { account, resources: resources.filter(isOwn) };
}

function toAccountPart({ provider_type, region, basis }: InventoryListing): AccountPart {
  return { provider_type, region, ...(basis === 'assumed' ? { is_assumed: true } : {}) };
}

function toUnplaced({ provider_type }: InventoryListing): UnreadPart {
  const message =
    'The listing does not say of which region it is. Add the region to the command: see docs/inventory-files.md.';
  return { provider_type, region: null, code: 'unknown_region', message };
}

function toUnread({ provider_type, region, code, reason, file }: NotChecked): UnreadPart {
  const is_of_file = code === 'cut' || code === 'unreadable' || code === 'missing_page';
  return { provider_type, region, code, message: is_of_file ? `${reason} (${file})` : reason };
}

/** Counts the resources of states by the account that they name. */
export function countOwners(owners: readonly Omit<StateOwner, 'resource_count'>[]): StateOwner[] {
  const groups = groupBy(owners, ({ provider, account_id }) => JSON.stringify([provider, account_id]));
  return [...groups.values()].map((group) => ({ ...(group[0] as StateOwner), resource_count: group.length }));
}

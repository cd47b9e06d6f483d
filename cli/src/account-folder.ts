/** Reads recorded accounts: folders with what a cloud answered during a scan, as `dpa record` writes them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountPart, CloudProvider, DriftAccount, LiveResource, UnreadPart } from '../../engine/drift/index.ts';
import type { JsonObject, JsonValue } from '../../engine/index.ts';
import { Failure } from './failure.ts';

const ACCOUNT_FILE = 'account.json';
/** The version of the folder format, docs/recorded-accounts.md. */
const FORMAT = 1;
const PAGE = /^pages\/\d{4,6}\.json$/;
const PROVIDERS: readonly string[] = ['aws', 'gcp', 'azure'];

export interface AccountFolder {
  account: DriftAccount;
  /** The resources of the account, page by page. */
  pages(): AsyncGenerator<LiveResource[]>;
}

/**
 * Opens the account in a folder, or those in its subfolders.
 *
 * @throws Failure if there is none, or a file has another format
 */
export async function openAccounts(folder: string): Promise<AccountFolder[]> {
  const own = await readJson(join(folder, ACCOUNT_FILE));
  if (own !== undefined) return [toAccount(folder, own)];
  const names = await readdir(folder).catch(() => {
    throw new Failure(`${folder}: there is no such folder`);
  });
  const found: AccountFolder[] = [];
  for (const name of names.sort()) {
    const account = await readJson(join(folder, name, ACCOUNT_FILE));
    if (account !== undefined) found.push(toAccount(join(folder, name), account));
  }
  if (found.length === 0)
    throw new Failure(`${folder}: no recorded account; pass a folder with account.json, as dpa record writes it`);
  return found;
}

function toAccount(folder: string, file: JsonValue): AccountFolder {
  const { format, provider, external_account_id, parts, unchecked } = toObject(file);
  if (format !== FORMAT) throw new Failure(`${folder}: the recording has an unknown format; record the account again`);
  if (!PROVIDERS.includes(String(provider)) || typeof external_account_id !== 'string')
    throw new Failure(`${folder}: account.json names no cloud and account`);
  const recorded = toList(parts).map(toObject);
  const ended = recorded.filter(({ ends_with }) => ends_with !== null && ends_with !== undefined);
  const account: DriftAccount = {
    provider: provider as CloudProvider,
    external_account_id,
    parts: recorded.filter((part) => !ended.includes(part)).map(toPart),
    unread: [
      ...ended.map((part) => toUnread(part, toObject(part['ends_with'] ?? null))),
      ...toList(unchecked)
        .map(toObject)
        .map((part) => toUnread(part, part)),
    ],
  };
  const names = recorded.flatMap(({ pages }) => toList(pages)).map(String);
  return { account, pages: () => readPages(folder, names, account) };
}

function toPart({ region, provider_type }: JsonObject): AccountPart {
  return { region: toTextOrNull(region), provider_type: toTextOrNull(provider_type) };
}

function toUnread(part: JsonObject, { code, message }: JsonObject): UnreadPart {
  return { ...toPart(part), code: String(code), message: String(message) };
}

async function* readPages(folder: string, names: string[], account: DriftAccount): AsyncGenerator<LiveResource[]> {
  for (const name of names) {
    const page = PAGE.test(name) ? await readJson(join(folder, name)) : undefined;
    if (page === undefined) throw new Failure(`${folder}: the recording is not complete, ${name} is missing`);
    yield toList(toObject(page)['resources'])
      .map(toObject)
      .map((resource) => toLive(resource, account.provider));
  }
}

function toLive(resource: JsonObject, provider: CloudProvider): LiveResource {
  const { provider_type, provider_resource_id, aliases, region, name, tags, properties } = resource;
  return {
    provider_type: String(provider_type),
    provider_resource_id: String(provider_resource_id),
    aliases: toList(aliases).map(String),
    region: toTextOrNull(region),
    name: toTextOrNull(name),
    tags: Object.fromEntries(Object.entries(toObject(tags)).map(([key, value]) => [key, String(value)])),
    properties: properties === null || properties === undefined ? null : toObject(properties),
    // Resource Graph shows all properties of a resource; listings of AWS and Google Cloud may not.
    is_complete: provider === 'azure',
  };
}

/** @returns undefined if there is no such file */
async function readJson(path: string): Promise<JsonValue | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new Failure(`${path}: it cannot be read (${error.code})`);
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new Failure(`${path}: this is not JSON; record the account again`);
  }
}

function toObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function toList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function toTextOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

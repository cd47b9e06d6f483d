import { OWNER_KINDS, parseOwner } from '../../../engine/index.ts';
import type { Schemas } from '../../../sdk/src/index.ts';
import { type Connection, type ConnectionOptions, openConnection } from '../connection.ts';
import { Failure } from '../failure.ts';
import { type Format, print } from '../output.ts';
import { writeTable } from '../table.ts';

type KnownOwner = Schemas['KnownOwner'];

export interface OwnersOptions extends ConnectionOptions {
  format: Format;
}

interface OwnerFilter {
  status?: Schemas['OwnerStatus'];
  kind?: string;
}

interface ListQuery {
  status?: Schemas['OwnerStatus'];
  kind?: Schemas['OwnerKind'];
}

const PAGE_SIZE = 500;
const COLUMNS = ['STATUS', 'OWNER', 'KIND', 'PLANS', 'LAST SEEN', 'DECIDED BY', 'NOTE'];

/** Prints the known owners, newest first. */
export async function listOwners({ status, kind, ...options }: OwnersOptions & OwnerFilter): Promise<void> {
  const known_kind = OWNER_KINDS.find((one) => one === kind);
  if (kind !== undefined && known_kind === undefined)
    throw new Failure(`--kind ${kind}: use one of ${OWNER_KINDS.join(', ')}`);
  const filter = { ...(status && { status }), ...(known_kind && { kind: known_kind }) };
  const owners = await fetchOwners(await openConnection(options), filter);
  print(options, { owners }, () => writeOwners(owners));
}

/** Adds a confirmed owner. */
export async function addOwner(text: string, { note, ...options }: OwnersOptions & { note?: string }): Promise<void> {
  const { dpa, org_id } = await openConnection(options);
  const body = { owner: text, ...(note === undefined ? {} : { note }) };
  const owner = await dpa.call('createKnownOwner', { path: { id: org_id }, body });
  print(options, owner, () => writeOwners([owner]));
}

/** Confirms or dismisses listed owners. */
export async function decideOwners(
  names: readonly string[],
  status: 'confirmed' | 'dismissed',
  { note, ...options }: OwnersOptions & { note?: string },
): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const owners: KnownOwner[] = [];
  for (const { id } of await resolveOwners(connection, names)) {
    const body = { status, ...(note === undefined ? {} : { note }) };
    owners.push(await dpa.call('updateKnownOwner', { path: { id: org_id, known_owner_id: id }, body }));
  }
  print(options, { owners }, () => writeOwners(owners));
}

/** Deletes owners from the list. */
export async function removeOwners(names: readonly string[], options: OwnersOptions): Promise<void> {
  const connection = await openConnection(options);
  const { dpa, org_id } = connection;
  const owners = await resolveOwners(connection, names);
  for (const { id } of owners) await dpa.call('deleteKnownOwner', { path: { id: org_id, known_owner_id: id } });
  print(options, { owners }, () => owners.map(({ owner }) => `${owner} is deleted from the list\n`).join(''));
}

async function fetchOwners({ dpa, org_id }: Connection, filter: ListQuery = {}): Promise<KnownOwner[]> {
  const owners: KnownOwner[] = [];
  const query = { ...filter, limit: PAGE_SIZE };
  for await (const one of dpa.paginate('listKnownOwners', { path: { id: org_id }, query })) owners.push(one);
  return owners;
}

/** @throws Failure before anything is changed, if one of the names is not in the list */
async function resolveOwners(connection: Connection, names: readonly string[]): Promise<KnownOwner[]> {
  const listed = await fetchOwners(connection);
  return names.map((name) => {
    const parsed = parseOwner(name);
    const canonical = 'owner' in parsed ? parsed.owner : name;
    const found = listed.find(({ id, owner }) => id === name || owner === canonical);
    if (found !== undefined) return found;
    throw new Failure(
      `"${name}" is not in the list: run \`dpa owners list\` to see it, or \`dpa owners add\` to add an owner`,
    );
  });
}

function writeOwners(owners: readonly KnownOwner[]): string {
  if (owners.length === 0) return 'no known owners\n';
  const rows = owners.map(({ status, owner, kind, plans_seen, last_seen_at, decided_by, note }) => [
    status,
    owner,
    kind,
    String(plans_seen),
    last_seen_at?.slice(0, 10) ?? '-',
    decided_by ?? '-',
    note ?? '',
  ]);
  return writeTable(COLUMNS, rows);
}

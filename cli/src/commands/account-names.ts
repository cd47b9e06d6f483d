import type { Schemas } from '../../../sdk/src/index.ts';
import type { Connection } from '../connection.ts';
import { Failure } from '../failure.ts';

type CloudAccount = Schemas['CloudAccount'];

const PAGE_SIZE = 200;

/** All cloud accounts, newest first. */
export async function fetchAccounts(
  { dpa, org_id }: Connection,
  provider?: Schemas['CloudProvider'],
): Promise<CloudAccount[]> {
  const accounts: CloudAccount[] = [];
  const query = { limit: PAGE_SIZE, ...(provider && { provider }) };
  for await (const one of dpa.paginate('listCloudAccounts', { path: { id: org_id }, query })) accounts.push(one);
  return accounts;
}

/**
 * The accounts with these names, numbers or IDs.
 *
 * @throws Failure before anything is changed, if one of the names is not in the list or means several accounts
 */
export async function resolveAccounts(connection: Connection, names: readonly string[]): Promise<CloudAccount[]> {
  const listed = await fetchAccounts(connection);
  return names.map((name) => {
    const found = listed.filter(({ id, external_account_id: account, display_name }) =>
      [id, account, display_name].includes(name),
    );
    const [only] = found;
    if (only === undefined) throw new Failure(`"${name}" is not in the list: run \`dpa accounts list\` to see it`);
    if (found.length > 1) throw new Failure(`"${name}" is the name of several accounts: use the account or its ID`);
    return only;
  });
}

import type { Schemas } from '../../../sdk/src/index.ts';
import { openConnection } from '../connection.ts';
import { print } from '../output.ts';
import { writeTable } from '../table.ts';
import { resolveAccounts } from './account-names.ts';
import type { AccountsOptions } from './accounts.ts';

type Part = Schemas['InventoryPart'];

interface CoverageOptions extends AccountsOptions {
  all?: boolean;
}

const PAGE_SIZE = 500;
/** Exit code if a part was not read. */
const EXIT_INCOMPLETE = 2;
const COLUMNS = ['REGION', 'SERVICE', 'TYPE', 'LAST READ', 'RESOURCES', 'WHY NOT'];

/** Prints which parts of an account the last scan did not read and why, or all parts. */
export async function showCoverage(name: string, { all, ...options }: CoverageOptions): Promise<void> {
  const connection = await openConnection(options);
  const [account] = await resolveAccounts(connection, [name]);
  if (account === undefined) return;
  const { dpa, org_id } = connection;
  const path = { id: org_id, account_id: account.id };
  const query = { limit: PAGE_SIZE, ...(all !== true && { checked: false }) };
  const { checked_count, unchecked_count } = await dpa.call('listInventoryParts', { path, query: { limit: 1 } });
  const parts: Part[] = [];
  for await (const one of dpa.paginate('listInventoryParts', { path, query })) parts.push(one);
  const counts = { checked_count, unchecked_count };
  print(options, { parts, ...counts }, () => writeParts(parts, counts));
  if (unchecked_count > 0) process.exitCode = EXIT_INCOMPLETE;
}

function writeParts(parts: readonly Part[], counts: { checked_count: number; unchecked_count: number }): string {
  const { checked_count: checked, unchecked_count: unchecked } = counts;
  if (checked + unchecked === 0) return 'the account was not scanned yet\n';
  const head = `the last scan read ${checked} of ${checked + unchecked} parts of the account\n`;
  const rows = parts.map((part) => [
    part.region ?? 'global',
    part.service,
    part.provider_type ?? 'many',
    part.checked_at?.slice(0, 10) ?? 'never',
    String(part.resource_count ?? '-'),
    part.code === null ? '' : `${part.code}: ${part.message}`,
  ]);
  return parts.length === 0 ? head : `${head}\n${writeTable(COLUMNS, rows)}`;
}

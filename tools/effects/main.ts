import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildTable, formatTable, listRows } from './build-table.ts';
import { PROVIDERS } from './providers.ts';
import { formatListing, formatProvider, formatTotals } from './report.ts';
import { readReviewed } from './reviewed.ts';
import { readProvider } from './sources/index.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const DATA = join(HERE, '../../engine/effects/data');

const { values } = parseArgs({
  options: { cache: { type: 'string' }, provider: { type: 'string' }, list: { type: 'string' } },
});
if (values.cache === undefined) throw new Error('Pass --cache FOLDER: downloaded packages are kept there.');
mkdirSync(values.cache, { recursive: true });

const all = [];
for (const provider of PROVIDERS) {
  if (values.provider !== undefined && values.provider !== provider.name) continue;
  const source = readProvider(provider, values.cache);
  const reviewed = readReviewed(join(HERE, 'reviewed', `${provider.name}.txt`));
  const rows = listRows(source.schema, reviewed);
  if (values.list !== undefined) console.log(formatListing(rows, values.list.split(',')));
  else {
    const table = buildTable(rows, provider.prefix);
    writeFileSync(join(DATA, `${provider.name}.json`), formatTable(table));
    console.log(formatProvider(provider.name, source, rows, reviewed));
    all.push(...rows);
  }
}
if (all.length > 0) console.log(formatTotals(all));

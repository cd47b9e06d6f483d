import { ARN_TYPES } from '../../engine/inventory/index.ts';
import { PARTLY_LISTED_TYPES } from '../../server/adapters/cloud/aws/data/partly-listed-types.ts';
import {
  BUCKET_TYPE,
  READABLE_TYPES,
  readService,
  UNREADABLE_TYPES,
} from '../../server/adapters/cloud/aws/type-table.ts';

/** docs/cloud-accounts/aws-types.md, from the tables that scans use. */
export function writeAwsTypes(): string {
  const read = [BUCKET_TYPE, ...READABLE_TYPES.map(({ provider_type }) => provider_type)];
  const indexed = new Set(Object.values(ARN_TYPES));
  const select = (reason: string) =>
    UNREADABLE_TYPES.filter((one) => one.reason === reason).map(({ provider_type }) => provider_type);
  const unlisted = select('not_listed');
  return [
    '# Resource types of AWS',
    'This page is written by `npm run cloud-docs` from the tables that scans use. It names the types that Terraform can\nmanage.',
    `## Read with properties: ${read.length} types`,
    writeTable(read),
    '## Read with properties, but perhaps not all resources',
    writeRows(['Type', 'What may be missing'], Object.entries(PARTLY_LISTED_TYPES)),
    '## Found only if tagged or indexed, without properties',
    'Cloud Control does not list these types. dpa finds those resources that Resource Explorer has indexed, or that have a\ntag.',
    writeTable(unlisted.filter((type) => indexed.has(type))),
    '## Not read: Cloud Control lists them only within a parent',
    writeTable(select('needs_parent')),
    '## Not read: Cloud Control does not list them',
    writeTable(unlisted.filter((type) => !indexed.has(type))),
  ]
    .join('\n\n')
    .concat('\n');
}

/** One row for each service. */
function writeTable(types: readonly string[]): string {
  const services = [...new Set(types.map(readService))].sort();
  const rows = services.map((service): [string, string] => {
    const names = types.filter((type) => readService(type) === service).map((type) => type.split('::')[2]);
    return [service, names.sort().join(', ')];
  });
  return writeRows(['Service', 'Types'], rows);
}

function writeRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

/** Writes the configuration that brings an undeclared resource under Terraform. */
import { hclText } from '../../fix/hcl.ts';
import type { JsonObject } from '../../model/result.ts';
import { findMapping } from '../arguments/mapping.ts';
import data from '../data/generated-arguments.json' with { type: 'json' };
import { findLastName, Names, writeImportBlock } from '../import-block.ts';
import { chooseType } from '../new-type.ts';
import type { DriftAccount, LiveResource } from '../types.ts';
import { listArguments } from './arguments.ts';
import { type Entry, writeBody } from './expression.ts';
import { SecretVariables } from './secrets.ts';

export interface GeneratedIac {
  /** Of the resource that would manage the object. */
  address: string;
  resource_type: string;
  /** Null if the inventory does not tell the ID that `terraform import` takes. */
  import_block: string | null;
  /** A resource block, and a sensitive variable for each secret. */
  hcl: string;
  /** `partly`: required arguments, or the ID for the import, are left to fill in. */
  status: 'complete' | 'partly';
  /** Names of required arguments that are left to fill in, sorted. */
  missing_arguments: string[];
  /** Whole sentences. */
  notes: string[];
}

interface TypeData {
  /** Names of required arguments and blocks, separated by spaces; `a|b` if one of them is required. */
  required: string;
  /** Arguments that parts of the ID tell: `{segment}`, `{}` for the last one, `^` for the ID of the parent. */
  from_id?: Readonly<Record<string, string>>;
}

const TYPES: ReadonlyMap<string, TypeData> = new Map(Object.entries(data as Record<string, TypeData>));
const CHECK =
  'Run `terraform plan` before you apply: it must show the import and no change. Settings that dpa cannot read are not written.';

/**
 * @param taken addresses that are in use
 * @returns undefined if no Terraform type is known for the resource
 */
export function generateIac(
  live: LiveResource,
  account: DriftAccount,
  taken: readonly string[] = [],
): GeneratedIac | undefined {
  const resource_type = chooseType(live, account.provider);
  if (resource_type === undefined) return undefined;
  const names = new Names(taken);
  const address = names.propose(resource_type, live.name ?? findLastName(live.provider_resource_id));
  const name = address.slice(resource_type.length + 1);
  const secrets = new SecretVariables(resource_type, name);
  const type_data = TYPES.get(resource_type);
  const given = readIdentity(resource_type, type_data, live, account);
  const body = listArguments(resource_type, live, { account, given, secrets });
  const import_block = writeImportBlock(address, resource_type, live, account);
  const missing_arguments = listMissing(type_data, body);
  const is_complete = type_data !== undefined && import_block !== null && missing_arguments.length === 0;
  return {
    ...{ address, resource_type, import_block, missing_arguments },
    hcl: [writeResource(resource_type, name, body, missing_arguments), ...writeVariables(secrets)].join('\n'),
    status: is_complete ? 'complete' : 'partly',
    notes: listNotes({ live, resource_type, import_block, missing_arguments, secrets }),
  };
}

/** What the ID says about the resource, for arguments that its properties may not show. */
function readIdentity(
  type: string,
  type_data: TypeData | undefined,
  live: LiveResource,
  { provider }: DriftAccount,
): JsonObject {
  if (provider === 'aws') return {};
  const id =
    live.aliases.find((alias) => alias.toLowerCase() === live.provider_resource_id.toLowerCase()) ??
    live.provider_resource_id;
  const segments = id
    .replace(/^\/\/[^/]{1,200}\//, '')
    .split('/')
    .filter((part) => part !== '');
  const required = (type_data?.required ?? '').split(' ');
  const azure = provider === 'azure' ? { name: '{}', resource_group_name: '{resourcegroups}' } : {};
  const templates = { ...azure, ...type_data?.from_id };
  const found = Object.entries(templates).flatMap(([name, template]): [string, string][] => {
    if (!required.includes(name) && type_data?.from_id?.[name] === undefined) return [];
    const value = template === '^' ? findParent(id) : fill(template, segments);
    return value === null ? [] : [[name, value]];
  });
  const account_id =
    type === 'google_service_account' ? live.provider_resource_id.split('/').at(-1)?.split('@')[0] : '';
  return { ...Object.fromEntries(found), ...(account_id ? { account_id } : {}) };
}

function findParent(id: string): string | null {
  const path = id.replace(/^\/\/[^/]{1,200}\//, '');
  const parent = path.split('/').slice(0, -2).join('/');
  return parent === '' ? null : parent;
}

function fill(template: string, segments: readonly string[]): string | null {
  const requested = template.slice(1, -1);
  if (requested === '') return segments.at(-1) ?? null;
  const at = segments.findIndex((segment) => segment.toLowerCase() === requested);
  return at < 0 ? null : (segments[at + 1] ?? null);
}

function listMissing(type_data: TypeData | undefined, body: readonly Entry[]): string[] {
  const written = new Set(body.map(({ name }) => name));
  const required = (type_data?.required ?? '').split(' ').filter((name) => name !== '');
  const missing = required.map((names) => names.split('|')).filter((names) => !names.some((name) => written.has(name)));
  return missing.map((names) => names.join(' or ')).sort();
}

function writeResource(type: string, name: string, body: readonly Entry[], missing: readonly string[]): string {
  const left = missing.map((argument) => `  # Fill in: ${argument}\n`).join('');
  const text = writeBody(body, 1);
  const gap = left !== '' && text !== '' ? '\n' : '';
  return `resource ${hclText(type)} ${hclText(name)} {\n${left}${gap}${text}}\n`;
}

function writeVariables({ variables }: SecretVariables): string[] {
  return [...variables.keys()].map(
    (name) => `variable ${hclText(name)} {\n  type      = string\n  sensitive = true\n}\n`,
  );
}

interface NoteFacts {
  live: LiveResource;
  resource_type: string;
  import_block: string | null;
  missing_arguments: readonly string[];
  secrets: SecretVariables;
}

function listNotes({ live, resource_type, import_block, missing_arguments, secrets }: NoteFacts): string[] {
  const known = findMapping(resource_type) !== undefined;
  return [
    ...(known ? [] : [`dpa cannot read the settings of ${resource_type} yet: only its name and tags are written.`]),
    ...(known && live.properties === null
      ? [
          'The inventory only knows that the resource exists. Read its properties with `POST …/enrich`, then generate again.',
        ]
      : []),
    ...(missing_arguments.length === 0 ? [] : [`Fill in the required arguments: ${missing_arguments.join(', ')}.`]),
    ...(import_block === null
      ? [
          'The inventory does not tell the ID that `terraform import` takes. Look it up in the documentation of the type.',
        ]
      : []),
    ...[...secrets.variables].map(([name, path]) => `\`${path}\` is secret: set the variable ${name}.`),
    CHECK,
  ];
}

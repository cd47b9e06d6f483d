/** The HCL block that brings an undeclared resource into a configuration. */
import { hclText } from '../fix/hcl.ts';
import { readPath } from './arguments/source-path.ts';
import data from './data/import-ids.json' with { type: 'json' };
import type { DriftAccount, LiveResource } from './types.ts';

/** Templates over the parts of the cloud's ID (`{0}`, `{1}`) and its properties, where `terraform import` takes another ID. */
const TEMPLATES: ReadonlyMap<string, string> = new Map(Object.entries(data));

/** A name for the configuration: letters, digits and underscores, and unique for its type. */
export class Names {
  private readonly taken: Set<string>;
  /** Where to go on for a name, so that thousands of resources with one name do not start over. */
  private readonly counts = new Map<string, number>();

  /** @param taken addresses that states already use */
  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken);
  }

  propose(type: string, name: string): string {
    const base = `${type}.${toIdentifier(name)}`;
    for (let count = this.counts.get(base) ?? 1; ; count += 1) {
      const address = count === 1 ? base : `${base}_${count}`;
      if (this.taken.has(address)) continue;
      this.taken.add(address);
      this.counts.set(base, count + 1);
      return address;
    }
  }
}

/** The name at the end of an ID. */
export function findLastName(id: string): string {
  return id.split('|')[0]?.split(/[/:]/).at(-1) ?? id;
}

function toIdentifier(name: string): string {
  const text = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')
    .slice(0, 60)
    .split('_')
    .filter((part) => part !== '')
    .join('_');
  if (text === '') return 'imported';
  return /^[a-z]/.test(text) ? text : `r_${text}`;
}

/** @returns null if the inventory does not tell the ID that `terraform import` takes for this type */
export function writeImportBlock(
  address: string,
  type: string,
  live: LiveResource,
  account: DriftAccount,
): string | null {
  const id = findImportId(type, live, account);
  return id === null ? null : `import {\n  to = ${address}\n  id = ${hclText(id)}\n}\n`;
}

export function findImportId(type: string, live: LiveResource, { provider }: DriftAccount): string | null {
  const template = TEMPLATES.get(type);
  const { provider_resource_id, aliases } = live;
  if (template !== undefined) return fillTemplate(template, live);
  if (provider === 'gcp') return provider_resource_id.replace(/^\/\/[^/]{1,200}\//, '');
  if (provider === 'azure') return restoreCase(provider_resource_id, aliases);
  // The order and the separator of compound IDs are different for each type.
  return provider_resource_id.includes('|') ? null : provider_resource_id;
}

function fillTemplate(template: string, { provider_resource_id, properties }: LiveResource): string | null {
  const ids = provider_resource_id.split('|');
  let filled = '';
  for (const [at, part] of template.split(/[{}]/).entries()) {
    if (at % 2 === 0) {
      filled += part;
      continue;
    }
    const value = /^\d$/.test(part) ? ids[Number(part)] : properties === null ? undefined : readPath(properties, part);
    if (typeof value !== 'string' || value === '') return null;
    filled += value;
  }
  return filled;
}

/** The provider for Azure requires the case of the segments that the inventory has as another name. */
function restoreCase(id: string, aliases: readonly string[]): string {
  return aliases.find((alias) => alias.toLowerCase() === id.toLowerCase()) ?? id;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** The parts of an address that a state file records apart. */
export interface AddressParts {
  module_address: string | null;
  mode: 'managed' | 'data';
  type: string;
  name: string;
  index: string | number | null;
}

/** Writes an address as Terraform does: `module.db.data.aws_ami.main["a"]`. */
export function writeAddress({ module_address, mode, type, name, index }: AddressParts): string {
  const module = module_address === null ? '' : `${module_address}.`;
  return `${module}${mode === 'data' ? 'data.' : ''}${type}.${name}${writeIndex(index)}`;
}

function writeIndex(index: string | number | null): string {
  if (index === null) return '';
  return typeof index === 'number' ? `[${index}]` : `["${escapeKey(index)}"]`;
}

/** The escapes of HCL, in which `${` and `%{` begin a template. */
function escapeKey(key: string): string {
  return key
    .replace(/["\\]/g, '\\$&')
    .replace(/[$%](?=\{)/g, '$&$&')
    .replace(/[\n\r\t]/g, (character) => ESCAPES.get(character) ?? character);
}

/**
 * Returns the module part of an address; null for the root module.
 *
 * @param address such as `module.a["x.y"].module.b.aws_vpc.main`
 */
export function findModule(address: string): string | null {
  let end = 0;
  while (address.startsWith('module.', end)) {
    const next = skipModule(address, end + 'module.'.length);
    if (address[next] !== '.') break;
    end = next + 1;
  }
  return end === 0 ? null : address.slice(0, end - 1);
}

/** @returns the index after the name and the index key of a module */
function skipModule(address: string, start: number): number {
  let at = start;
  while (at < address.length && address[at] !== '.' && address[at] !== '[') at += 1;
  if (address[at] !== '[') return at;
  if (address[at + 1] !== '"') return address.indexOf(']', at) + 1 || address.length;
  at += 2;
  while (at < address.length && address[at] !== '"') at += address[at] === '\\' ? 2 : 1;
  return at + 2;
}

const QUOTED_SOURCE = /provider\["([^"]{1,500})"\]/;
const LEGACY_NAME = /(?:^|\.)provider\.\s{0,8}([A-Za-z0-9_-]{1,100})/;

/**
 * Reads the source of the provider of a resource in a state file: `provider["registry.terraform.io/hashicorp/aws"].west`,
 * or `module.a.provider.aws` before Terraform 0.13.
 */
export function readProviderSource(text: string): string | undefined {
  return QUOTED_SOURCE.exec(text)?.[1] ?? LEGACY_NAME.exec(text)?.[1];
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDeclarations } from './declarations.ts';
import type { Argument, Block, Kind, Member, TypeDeclaration } from './types.ts';

const MAX_DEPTH = 7;

/** A resource of a Pulumi package: its module and name, and arguments with names derived for Terraform. */
export interface PulumiResource {
  /** For example `rds/instance`; `index/` is left out. */
  token: string;
  block: Block;
}

/** Resources of an unpacked `@pulumi/*` package. Names of arguments are those of Pulumi, in snake case. */
export function readPulumi(folder: string): PulumiResource[] {
  const inputs = join(folder, 'types', 'input.d.ts');
  const declarations = existsSync(inputs) ? parseDeclarations(readFileSync(inputs, 'utf8')) : [];
  const blocks = new Map(declarations.map((one) => [one.name, one]));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const found: PulumiResource[] = [];
  for (const file of files) {
    const token = /^((?!types|config|node_modules|provider)\w+(?:\/\w+)?)\.d\.ts$/.exec(file)?.[1];
    if (token === undefined) continue;
    const args = parseDeclarations(readFileSync(join(folder, file), 'utf8')).find(isArguments);
    if (args !== undefined && !/^(\w+\/)?get[A-Z]/.test(token))
      found.push({ token, block: readBlock(blocks, args, 1) });
  }
  return found;
}

function isArguments({ name }: TypeDeclaration): boolean {
  return name.endsWith('Args') && !/^Get[A-Z]/.test(name);
}

function readBlock(blocks: Map<string, TypeDeclaration>, declaration: TypeDeclaration, depth: number): Block {
  const block: Block = new Map();
  for (const member of declaration.members) {
    const argument = readArgument(blocks, member, depth);
    block.set(argument.name, argument);
  }
  return block;
}

function readArgument(blocks: Map<string, TypeDeclaration>, { name, type, comment }: Member, depth: number): Argument {
  const inner = /\bstring \|/.test(type) ? undefined : /\binputs\.([\w.]+)/.exec(type)?.[1];
  const declaration = inner === undefined ? undefined : blocks.get(inner);
  const kind = declaration === undefined ? readKind(type) : 'block';
  const argument: Argument = { name: toSnakeCase(name), kind, doc: comment.trim() };
  if (kind === 'block' && type.includes('[]')) argument.name = singularize(argument.name);
  if (declaration !== undefined && depth < MAX_DEPTH) argument.block = readBlock(blocks, declaration, depth + 1);
  return argument;
}

function readKind(type: string): Kind {
  if (type.includes('[]')) return 'list';
  if (type.includes('[key: string]')) return 'map';
  if (/<boolean\b/.test(type)) return 'bool';
  return /<number\b/.test(type) ? 'number' : 'string';
}

/** `ipv6CidrBlock` → `ipv6_cidr_block`. */
export function toSnakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Pulumi calls repeated blocks by the plural of Terraform's name: `policies` → `policy`. */
export function singularize(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  if (/(ss|x|ch|sh)es$/.test(name)) return name.slice(0, -2);
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}

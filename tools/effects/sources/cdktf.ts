import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDeclarations } from './declarations.ts';
import type { Argument, Block, Kind, Member, Schema, TypeDeclaration } from './types.ts';

/** Deeper blocks repeat themselves: statements of a firewall rule, elements of a dashboard. */
const MAX_DEPTH = 7;

/** Resource types of an unpacked `@cdktf/provider-*` package, with Terraform's own names. */
export function readCdktf(folder: string): Schema {
  const schema: Schema = new Map();
  const lib = join(folder, 'lib');
  for (const name of readdirSync(lib).sort()) {
    if (name === 'provider' || name.includes('.')) continue;
    const text = readTypings(join(lib, name));
    if (text.includes('extends cdktf.TerraformDataSource')) continue;
    const type = /static readonly tfResourceType = "(\w+)"/.exec(text)?.[1];
    const config = /constructor\(scope: Construct, id: string, config\??: (\w+)\)/.exec(text)?.[1];
    if (type === undefined || config === undefined) continue;
    const declarations = new Map(parseDeclarations(text).map((one) => [one.name, one]));
    schema.set(type, readBlock(declarations, config, 1));
  }
  return schema;
}

function readTypings(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

function readBlock(declarations: Map<string, TypeDeclaration>, name: string, depth: number): Block {
  const block: Block = new Map();
  for (const member of declarations.get(name)?.members ?? []) {
    const argument = readArgument(declarations, member, depth);
    if (argument !== undefined && argument.name !== 'id') block.set(argument.name, argument);
  }
  return block;
}

function readArgument(
  declarations: Map<string, TypeDeclaration>,
  { type, comment }: Member,
  depth: number,
): Argument | undefined {
  const name = /#(\w+) \w+#\w+\}/.exec(comment)?.[1];
  if (name === undefined) return undefined;
  const written = comment.split(/\n?Docs at Terraform Registry/)[0]!.trim();
  const doc = written === `${name} block` ? '' : written;
  const inner = findBlockName(type);
  if (inner === undefined || !declarations.has(inner) || depth === MAX_DEPTH)
    return { name, kind: readKind(type), doc };
  return { name, kind: 'block', doc, block: readBlock(declarations, inner, depth + 1) };
}

/** Name of the interface in `X`, `X[] | cdktf.IResolvable` or `{ [key: string]: X; }`. */
function findBlockName(type: string): string | undefined {
  return /^(?:\{\s*\[key: string\]: )?([A-Z]\w+)/.exec(type)?.[1];
}

function readKind(type: string): Kind {
  if (type.startsWith('{')) return 'map';
  if (type.includes('[]') || type.startsWith('Array')) return 'list';
  if (type.startsWith('boolean')) return 'bool';
  return type.startsWith('number') ? 'number' : 'string';
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One argument as the package writes it: whether it is a set, and the function that writes its block. */
interface Argument {
  name: string;
  is_set: boolean;
  block: string | undefined;
}

const ARGUMENT = /^ +(\w+): \{\n +value: (.*),\n +isBlock: (?:true|false),\n +type: "(\w+)"/gm;
const WRITER = /(\w+)ToHclTerraform/;
const SIMPLE = /^(?:string|number|boolean|any)$/;
/** Deeper blocks repeat themselves. */
const MAX_DEPTH = 9;

/**
 * Reads which lists of a provider are sets: the service ignores their order.
 *
 * @param folder of an unpacked `@cdktf/provider-*` package, whose code is generated from the schema of the provider
 * @returns sorted paths without indexes by resource type, for types that have sets
 */
export function readSets(folder: string): Map<string, string[]> {
  const sets = new Map<string, string[]>();
  const lib = join(folder, 'lib');
  for (const name of readdirSync(lib).sort()) {
    if (name === 'provider' || name.includes('.')) continue;
    const code = readCode(join(lib, name));
    const type = /tfResourceType = "(\w+)"/.exec(code)?.[1];
    if (type === undefined || code.includes('extends cdktf.TerraformDataSource')) continue;
    const paths = listSets(readBlocks(code), '', '', 1);
    if (paths.length > 0) sets.set(type, paths.sort());
  }
  return sets;
}

function readCode(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

/** The arguments of each block by the name of its writer; those of the resource itself have an empty name. */
function readBlocks(code: string): Map<string, Argument[]> {
  const blocks = new Map<string, Argument[]>();
  for (const part of code.split(/^(?=function \w+ToHclTerraform\(| +synthesizeHclAttributes\()/m)) {
    const writer = /^function (\w+)ToHclTerraform\(/.exec(part)?.[1];
    const is_resource = /^ +synthesizeHclAttributes\(/.test(part);
    if (writer !== undefined) blocks.set(writer, readArguments(part.split('\n}\n', 1)[0]!));
    else if (is_resource) blocks.set('', readArguments(part));
  }
  return blocks;
}

function readArguments(code: string): Argument[] {
  return [...code.matchAll(ARGUMENT)].map(([, name, value, kind]) => {
    const writer = WRITER.exec(value!)?.[1];
    return {
      name: name!,
      is_set: kind === 'set',
      block: writer === undefined || SIMPLE.test(writer) ? undefined : writer,
    };
  });
}

function listSets(blocks: ReadonlyMap<string, Argument[]>, writer: string, prefix: string, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  return (blocks.get(writer) ?? []).flatMap(({ name, is_set, block }) => {
    const path = `${prefix}${name}`;
    const inner = block === undefined ? [] : listSets(blocks, block, `${path}.`, depth + 1);
    return is_set ? [path, ...inner] : inner;
  });
}

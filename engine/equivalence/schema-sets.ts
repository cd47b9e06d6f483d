import data from './schema-sets.json' with { type: 'json' };

/** By provider, then by the type without its prefix. */
const known = new Map<string, ReadonlyMap<string, readonly string[]>>();
const NO_SETS: readonly string[] = [];

/** Paths of the lists that the schema of the provider declares as sets, without indexes. `npm run sets` compiles them. */
export function findSchemaSets(type: string): readonly string[] {
  const end = type.indexOf('_');
  const provider = type.slice(0, end);
  if (end < 0 || !Object.hasOwn(data, provider)) return NO_SETS;
  let types = known.get(provider);
  if (types === undefined) {
    types = readTable(data[provider as keyof typeof data]);
    known.set(provider, types);
  }
  return types.get(type.slice(end + 1)) ?? NO_SETS;
}

/** `type type:path path;…` */
function readTable(table: string): Map<string, readonly string[]> {
  const types = new Map<string, readonly string[]>();
  for (const group of table.split(';')) {
    const [names = '', paths = ''] = group.split(':');
    const sets = paths.split(' ');
    for (const name of names.split(' ')) types.set(name, sets);
  }
  return types;
}

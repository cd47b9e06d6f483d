import { Failure } from '../failure.ts';

interface Named {
  id: string;
  display_name: string;
}

/**
 * The items with these names or IDs.
 *
 * @param list command that shows the names
 * @throws Failure before anything is changed, if one of the names is not in the list or means several items
 */
export function findNamed<T extends Named>(items: readonly T[], names: readonly string[], list: string): T[] {
  return names.map((name) => {
    const found = items.filter(({ id, display_name }) => id === name || display_name === name);
    const [only] = found;
    if (only === undefined) throw new Failure(`"${name}" is not in the list: run \`${list}\` to see it`);
    if (found.length > 1)
      throw new Failure(`"${name}" is the name of several: use the ID from \`${list} --format json\``);
    return only;
  });
}

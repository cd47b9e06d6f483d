/** Groups values by a key, in the order of their first appearance; `Map.groupBy` needs Node 21. */
export function groupBy<K, V>(values: Iterable<V>, read: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const key = read(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

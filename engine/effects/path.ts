/** A path into a resource, as segments or in Terraform's notation: `rule.0.id`, `rule[0].id`, `tags["a"]`. */
export type ArgumentPath = string | readonly (string | number)[];

/** Names in a path; indexes and `*` are left out. */
export function listNames(path: ArgumentPath): string[] {
  const segments = typeof path === 'string' ? path.split(/[.[\]"]/) : path;
  return segments.filter((segment): segment is string => typeof segment === 'string' && isName(segment));
}

function isName(segment: string): boolean {
  return segment !== '' && segment !== '*' && !/^\d+$/.test(segment);
}

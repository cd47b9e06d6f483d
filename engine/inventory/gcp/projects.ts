import type { ReadRow } from '../rows.ts';

/**
 * Adds aliases with the ID of a project to names with its number, because a state names projects by ID. A row whose name
 * has the ID and whose project has the number tells which belong together.
 */
export function nameProjects(rows: readonly ReadRow[]): ReadRow[] {
  const ids = new Map<string, string>();
  for (const { account_id, project_number } of rows) {
    if (project_number !== undefined && account_id !== null && account_id !== project_number)
      ids.set(project_number, account_id);
  }
  return ids.size === 0 ? [...rows] : rows.map((row) => nameProject(row, ids));
}

function nameProject(row: ReadRow, ids: ReadonlyMap<string, string>): ReadRow {
  const number = row.project_number;
  const id = number === undefined ? undefined : ids.get(number);
  if (id === undefined || row.account_id !== number) return row;
  const { provider_resource_id: name, aliases } = row.resource;
  const named = [name, ...aliases].map((one) => one.replace(`projects/${number}/`, `projects/${id}/`));
  const others = new Set([...aliases, ...named].filter((one) => one !== name));
  return { ...row, account_id: id, resource: { ...row.resource, aliases: [...others] } };
}

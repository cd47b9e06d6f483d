import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small plan with one change. Its password is marked as sensitive. */
export function buildPlan(address: string, actions: string[], password = 'marked-password'): string {
  const [type = '', name = ''] = address.split('.');
  const before = { name: 'main', password };
  const after = actions.includes('delete') ? null : { ...before, tags: { team: 'web' } };
  const change = { actions, before, after, after_unknown: {}, before_sensitive: { password: true } };
  const marked = after === null ? change : { ...change, after_sensitive: { password: true } };
  const provider_name = `registry.terraform.io/hashicorp/${type.split('_')[0]}`;
  const entry = { address, mode: 'managed', type, name, provider_name, change: marked };
  return JSON.stringify({ format_version: '1.2', terraform_version: '1.10.5', resource_changes: [entry] });
}

/** Temporary folders of labeled plans. */
export function createSets() {
  const root = mkdtempSync(join(tmpdir(), 'dpa-score-set-'));
  let count = 0;
  return {
    /** Writes files into a new folder, and returns the folder. */
    write(files: Record<string, string>): string {
      count += 1;
      const folder = join(root, `set ${count}`);
      mkdirSync(folder);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      return folder;
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** A table with a header and tab-separated cells; cells are written with `|` between them. */
export function writeTable(...lines: string[]): string {
  return `${lines.map((line) => line.replaceAll('|', '\t')).join('\n')}\n`;
}

/** Files inside attributes whose names say their language. */

import { jobForm, regoForm } from '../canonical/blocks.ts';
import { celForm, hclForm, kqlForm, sqlForm, vclForm } from '../canonical/code.ts';
import { columnLinesForm, directivesForm, keywordLinesForm, settingLinesForm } from '../canonical/config-lines.ts';
import { javascriptForm } from '../canonical/javascript.ts';
import type { PathNode } from '../changes/path-node.ts';
import { memberAt, type SideReader } from '../changes/side-reader.ts';

type Form = (text: string) => string | null;

const blocksForm: Form = (text) => jobForm(text) ?? hclForm(text);
const configForm: Form = (text) => directivesForm(text) ?? settingLinesForm(text);
const FORMS: ReadonlyMap<string, Form> = new Map([
  ['sql', sqlForm],
  ['rego', regoForm],
  ['hcl', blocksForm],
  ['tf', blocksForm],
  ['nomad', blocksForm],
  ['vcl', vclForm],
  ['kql', kqlForm],
  ['cel', celForm],
  ['conf', configForm],
  ['cfg', configForm],
  ['cnf', configForm],
  ['js', javascriptForm],
  ['mjs', javascriptForm],
  ['cjs', javascriptForm],
]);
/** Files that are known by their whole name. */
const NAMED_FORMS: ReadonlyMap<string, Form> = new Map([
  ['CODEOWNERS', columnLinesForm],
  ['hosts', columnLinesForm],
  ['fstab', columnLinesForm],
  ['pg_hba.conf', columnLinesForm],
  ['pg_ident.conf', columnLinesForm],
  ['sshd_config', keywordLinesForm],
  ['ssh_config', keywordLinesForm],
]);
/** Arguments with the content of a file. */
const CONTENT = /^(?:content|value$|body$|data$|source_code$)/;
/** Arguments that name the file whose content another argument has. */
const NAMES = ['filename', 'file', 'file_path', 'path', 'key', 'destination', 'name'];

/** Whether two texts of a file are the same code, by the language that the name of the file says. */
export function isSameFile(node: PathNode, texts: readonly [unknown, unknown], side: SideReader): boolean {
  const [before, after] = texts;
  if (typeof before !== 'string' || typeof after !== 'string') return false;
  const write = findForm(node, side);
  const form = write?.(before) ?? null;
  return form !== null && form === write?.(after);
}

function findForm(node: PathNode, side: SideReader): Form | undefined {
  const own = formByName(node.name);
  if (own !== undefined || node.parent === null || !CONTENT.test(node.name)) return own;
  const block = side(node.parent);
  for (const name of NAMES) {
    const form = formByName(memberAt(block, name));
    if (form !== undefined) return form;
  }
  return undefined;
}

function formByName(name: unknown): Form | undefined {
  if (typeof name !== 'string') return undefined;
  const base = name.slice(name.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return NAMED_FORMS.get(base) ?? (dot < 0 ? undefined : FORMS.get(base.slice(dot + 1).toLowerCase()));
}

/** Files inside attributes whose names say their language. */

import { regoForm } from '../canonical/blocks.ts';
import { celForm, hclForm, kqlForm, sqlForm, vclForm } from '../canonical/code.ts';
import { directivesForm, settingLinesForm } from '../canonical/config-lines.ts';
import type { PathNode } from '../changes/path-node.ts';
import { memberAt, type SideReader } from '../changes/side-reader.ts';

type Form = (text: string) => string | null;

const configForm: Form = (text) => directivesForm(text) ?? settingLinesForm(text);
const FORMS: ReadonlyMap<string, Form> = new Map([
  ['sql', sqlForm],
  ['rego', regoForm],
  ['hcl', hclForm],
  ['tf', hclForm],
  ['nomad', hclForm],
  ['vcl', vclForm],
  ['kql', kqlForm],
  ['cel', celForm],
  ['conf', configForm],
  ['cfg', configForm],
  ['cnf', configForm],
]);
/** Arguments that name the file whose content another argument has. */
const NAMES = ['filename', 'file', 'file_path', 'path', 'key', 'destination', 'name'];

/** Whether two texts of a file are the same code, by the language that the name of the file says. */
export function isSameFile(node: PathNode, texts: readonly [unknown, unknown], side: SideReader): boolean {
  const [before, after] = texts;
  if (typeof before !== 'string' || typeof after !== 'string') return false;
  const write = FORMS.get(findExtension(node, side));
  const form = write?.(before) ?? null;
  return form !== null && form === write?.(after);
}

function findExtension(node: PathNode, side: SideReader): string {
  const own = readExtension(node.name);
  if (own !== '' || node.parent === null || !/^content/.test(node.name)) return own;
  const block = side(node.parent);
  for (const name of NAMES) {
    const extension = readExtension(memberAt(block, name));
    if (extension !== '') return extension;
  }
  return '';
}

function readExtension(name: unknown): string {
  if (typeof name !== 'string') return '';
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Names in the plan that may read a stamp: in selectors, conditions, queries and scripts. */
import type { ResourceChange } from '../changes/types.ts';
import { decodeBase64, decodeText } from '../documents/recognize.ts';
import type { JsonValue } from '../model/result.ts';
import { STAMP_TEXTS } from '../noise-catalog/stamp-names.ts';

export interface Mentions {
  /**
   * Whether something outside the metadata of resources names this key of a tag, label or annotation, alone or as a
   * part of a longer name such as `aws:ResourceTag/git_sha` or `label_ci_example_com_build`.
   */
  has(key: string): boolean;
}

export interface MentionsCollector extends Mentions {
  observe(change: ResourceChange): void;
}

/** Maps and blocks in which a resource describes itself, instead of selecting others. */
const METADATA =
  /^(?:(?:default_|volume_)?tags?|tags_all|(?:effective_|terraform_|user_|resource_)?labels|(?:effective_)?annotations)$/;
/** Blocks that select others, in which such maps name what they select. */
const SELECTS =
  /select|match|filter|condition|target|rule|query|pattern|criteria|exclu|inclu|affinit|spread|scope|expression|valid|allow|deny|polic/i;
/** Attributes that may contain a script in base64. */
const ENCODED = /data|script|content|base64|payload|boot/i;
const STAMP = new RegExp(STAMP_TEXTS.join('|'), 'i');
const NAME = /[A-Za-z0-9][\w./-]{2,400}/g;
const MAX_NAMES = 5_000;
const MAX_DEPTH = 64;
const MAX_KNOWN = 1_000;

export function createMentions(): MentionsCollector {
  const names = new Set<string>();
  const known = new Map<string, boolean>();

  /** Data sources find objects by their tags. */
  function observe({ mode, before, after }: ResourceChange): void {
    const side = after ?? before;
    if (side !== null) visitMembers(side, { name: '', selects: mode === 'data', depth: 0 });
  }

  function visit(value: JsonValue, at: Place): void {
    if (typeof value === 'string') visitText(value, at.name);
    else if (value === null || typeof value !== 'object' || at.depth > MAX_DEPTH) return;
    else if (Array.isArray(value)) for (const item of value) visit(item, { ...at, depth: at.depth + 1 });
    else visitMembers(value, at);
  }

  function visitMembers(members: { [name: string]: JsonValue }, { selects, depth }: Place): void {
    for (const name of Object.keys(members)) {
      if (!selects && METADATA.test(name)) continue;
      if (selects) visitText(name, '');
      visit(members[name]!, { name, selects: selects || SELECTS.test(name), depth: depth + 1 });
    }
  }

  function visitText(text: string, attribute: string): void {
    if (STAMP.test(text)) for (const [name] of text.matchAll(NAME)) if (STAMP.test(name)) add(name);
    if (!ENCODED.test(attribute)) return;
    const bytes = decodeBase64(text);
    const decoded = bytes === null ? null : decodeText(bytes);
    if (decoded !== null) visitText(decoded, '');
  }

  function add(name: string): void {
    if (names.size >= MAX_NAMES) return;
    names.add(name.toLowerCase());
    known.clear();
  }

  function has(key: string): boolean {
    if (names.size >= MAX_NAMES) return true;
    let found = known.get(key);
    if (found === undefined) {
      found = [...names].some((name) => isPartOf(key.toLowerCase(), name));
      if (known.size < MAX_KNOWN) known.set(key, found);
    }
    return found;
  }

  return { observe, has };
}

interface Place {
  /** Name of the attribute or key. */
  name: string;
  /** The value selects other objects. */
  selects: boolean;
  depth: number;
}

/** Whether a name contains a key between separators. A key of one word is too common to be found inside `build-agents`. */
function isPartOf(key: string, name: string): boolean {
  const separators = /[^a-z0-9]/.test(key) ? /[^a-z0-9]/g : /[./]/g;
  const [inner, outer] = [key, name].map((text) => `/${text.replace(separators, '/')}/`) as [string, string];
  return outer.includes(inner);
}

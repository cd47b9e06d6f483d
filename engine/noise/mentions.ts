/** Names in the plan that may read a stamp: in selectors, conditions, queries and scripts. */
import type { ResourceChange } from '../changes/types.ts';
import { decodeBase64, decodeText } from '../documents/recognize.ts';
import { memoizeText } from '../lib/memoize.ts';
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

interface NameFacts {
  describes: boolean;
  selects: boolean;
  may_encode: boolean;
}

/** The same names occur in every resource. */
const readName: (name: string) => NameFacts = memoizeText((name) => ({
  describes: METADATA.test(name),
  selects: SELECTS.test(name),
  may_encode: ENCODED.test(name),
}));

const STAMP = new RegExp(STAMP_TEXTS.join('|'), 'i');
const NAME = /[A-Za-z0-9][\w./-]{2,400}/g;
/** Beyond these limits, every key counts as read. */
const MAX_NAMES = 20_000;
const MAX_DEPTH = 64;
const MAX_KEYS = 1_000;

export function createMentions(): MentionsCollector {
  const names = new Set<string>();
  const known = new Map<string, boolean>();
  let index: NameIndex | null = null;
  let is_complete = true;

  /** Data sources find objects by their tags. */
  function observe({ mode, before, after }: ResourceChange): void {
    const side = after ?? before;
    if (side !== null) visitMembers(side, mode === 'data', 0);
  }

  /** @param selects whether the value selects other objects */
  function visit(value: JsonValue, selects: boolean, may_encode: boolean, depth: number): void {
    if (typeof value === 'string') visitText(value, may_encode);
    else if (value === null || typeof value !== 'object') return;
    else if (depth > MAX_DEPTH) is_complete = false;
    else if (Array.isArray(value)) for (const item of value) visit(item, selects, may_encode, depth + 1);
    else visitMembers(value, selects, depth);
  }

  function visitMembers(members: { [name: string]: JsonValue }, selects: boolean, depth: number): void {
    for (const name of Object.keys(members)) {
      const facts = readName(name);
      if (!selects && facts.describes) continue;
      if (selects) visitText(name, false);
      visit(members[name]!, selects || facts.selects, facts.may_encode, depth + 1);
    }
  }

  function visitText(text: string, may_encode: boolean): void {
    if (STAMP.test(text)) for (const [name] of text.matchAll(NAME)) if (STAMP.test(name)) add(name);
    const bytes = may_encode ? decodeBase64(text) : null;
    const decoded = bytes === null ? null : decodeText(bytes);
    if (decoded !== null) visitText(decoded, false);
  }

  function add(name: string): void {
    if (names.size >= MAX_NAMES) is_complete = false;
    else names.add(name.toLowerCase());
    if (index === null) return;
    index = null;
    known.clear();
  }

  function has(key: string): boolean {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (!is_complete || known.size >= MAX_KEYS) return true;
    index ??= buildIndex(names);
    const is_named = isNamed(key.toLowerCase(), index);
    known.set(key, is_named);
    return is_named;
  }

  return { observe, has };
}

/** All names, one a line, with slashes for the separators between their parts and at both ends. */
interface NameIndex {
  /** Split at every separator. */
  fine: string;
  /** Split at dots and slashes only. */
  coarse: string;
}

const ANY_SEPARATOR = /[^a-z0-9\n]/g;
const PATH_SEPARATOR = /[./]/g;

function buildIndex(names: ReadonlySet<string>): NameIndex {
  const text = [...names].map((name) => `/${name}/`).join('\n');
  return { fine: text.replace(ANY_SEPARATOR, '/'), coarse: text.replace(PATH_SEPARATOR, '/') };
}

/** A key of one word is too common to look for inside names such as `build-agents`. */
function isNamed(key: string, { fine, coarse }: NameIndex): boolean {
  const parts = key.replace(ANY_SEPARATOR, '/');
  return parts === key ? coarse.includes(`/${key}/`) : fine.includes(`/${parts}/`);
}

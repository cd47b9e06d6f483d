import { isContainer, type MaybeJson } from '../changes/values.ts';
import { decodeBase64, findConcealed } from './concealed.ts';
import { maskValue } from './documents.ts';
import { classifyLabel, type LabelKind } from './labels.ts';
import { isMixed } from './plain-secret.ts';
import { MASK } from './scrubber.ts';
import type { SecretSet } from './secret-set.ts';

const MAX_KNOWN = 10_000;

/**
 * Creates a function that adds the secrets of a value to a set: those inside its texts and those of its secret names.
 * Under a name alone, only a text that looks generated counts, because others may be the names of secrets.
 */
export function createFinder(secrets: SecretSet): (value: MaybeJson) => void {
  const addText = (text: string) => {
    secrets.addFound(text);
    const decoded = decodeBase64(text);
    if (decoded === undefined) return;
    secrets.addFound(decoded);
    // Basic authentication: `user:password`
    if (decoded.includes(':')) secrets.addFound(decoded.slice(decoded.indexOf(':') + 1));
  };
  const search = {
    mask: MASK,
    classify: rememberKinds(),
    onFound: (text: string) => {
      if (isMixed(text)) addText(text);
    },
    maskText(text: string) {
      findConcealed(text, MASK, addText);
      return text;
    },
  };
  return (value) => {
    if (isContainer(value)) maskValue(value, search);
    else if (typeof value === 'string') search.maskText(value);
  };
}

/** Attributes of a type and variables of an environment repeat in every resource. */
function rememberKinds(): (name: string) => LabelKind | undefined {
  const known = new Map<string, LabelKind | null>();
  return (name) => {
    const cached = known.get(name);
    if (cached !== undefined) return cached ?? undefined;
    const kind = classifyLabel(name);
    if (known.size < MAX_KNOWN) known.set(name, kind ?? null);
    return kind;
  };
}

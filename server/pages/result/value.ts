import type { AttributeDiff, JsonValue, OutputChange } from '../../../engine/index.ts';
import { type Html, html, untrusted } from '../../lib/html.ts';

const MOST_CHARACTERS = 2_000;

/** Both sides of a changed attribute. The result is already redacted; withheld values are shown as withheld. */
export function attributeSides(diff: AttributeDiff): { before: Html; after: Html } {
  const { op, scrubbed = false, truncated } = diff;
  const side = (value: JsonValue, sensitive: boolean) => {
    if (sensitive) return note('sensitive, withheld');
    return value === null && scrubbed ? note('looks like a secret, withheld') : shown(value, truncated);
  };
  return {
    before: op === 'add' ? note('not set') : side(diff.before, diff.before_sensitive),
    after: diff.after_unknown
      ? note('known after apply')
      : op === 'remove'
        ? note('removed')
        : side(diff.after, diff.after_sensitive),
  };
}

/** Both sides of a changed output. */
export function outputSides({ action, before, after, sensitive, after_unknown }: OutputChange) {
  if (sensitive) return { before: note('sensitive, withheld'), after: note('sensitive, withheld') };
  return {
    before: action === 'create' ? note('not set') : shown(before),
    after: after_unknown ? note('known after apply') : action === 'delete' ? note('removed') : shown(after),
  };
}

/** One side of a difference inside a document. */
export function insideSide(value: JsonValue): Html {
  return value === null ? note('not set') : shown(value);
}

/** As JSON, so that a string, a number and null look different. */
function shown(value: JsonValue, truncated = false): Html {
  const text = JSON.stringify(value);
  const more = text.length - MOST_CHARACTERS;
  const cut = truncated ? note(' (cut)') : '';
  if (more <= 0) return html`<code>${untrusted(text)}</code>${cut}`;
  return html`<code>${untrusted(text.slice(0, MOST_CHARACTERS))}</code>${note(` … ${more} more characters`)}`;
}

function note(text: string): Html {
  return html`<span class="soft">${text}</span>`;
}

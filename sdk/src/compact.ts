/**
 * Members of a plan that the service never reads. The client empties them before it sends the plan, so that most plans fit
 * into a request and no variable or provider credential leaves the machine. `*` stands for every member.
 *
 * @see openapi.yaml, analyzePlan
 */
const EMPTIED: UnreadMembers = {
  prior_state: true,
  planned_values: true,
  variables: true,
  provider_schemas: true,
  configuration: { root_module: true, provider_config: { '*': { expressions: true } } },
};

type UnreadMembers = { [member: string]: true | UnreadMembers };

/**
 * Reduces a plan: members that the service never reads become `{}`, and everything else stays the same byte by byte, so
 * that no number is rounded. Text that is not well-formed JSON is returned unchanged, and the service reports the error.
 *
 * @param plan output of `terraform show -json`: text, its bytes in UTF-8 or UTF-16, or the parsed object
 */
export function compactPlan(plan: string | Uint8Array | object): string {
  const text = typeof plan === 'string' ? plan : plan instanceof Uint8Array ? decode(plan) : JSON.stringify(plan);
  const start = text.search(/^\s*\{/m);
  if (start === -1) return text;
  const compactor = new Compactor(text);
  const end = compactor.compactObject(text.indexOf('{', start), EMPTIED);
  return end === -1 ? text : compactor.finish();
}

/** Descends only into the members in `EMPTIED`. Positions are indexes into the text; -1 means that the text is malformed. */
class Compactor {
  private readonly text: string;
  private readonly parts: string[] = [];
  private copied_until = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** @returns the index after the object that begins at `at` */
  compactObject(at: number, unread: UnreadMembers): number {
    let next = this.skipBlank(at + 1);
    if (this.text[next] === '}') return next + 1;
    while (this.text[next] === '"') {
      const colon = this.skipBlank(skipString(this.text, next));
      if (this.text[colon] !== ':') return -1;
      const name = parseName(this.text.slice(next, colon));
      const end = this.compactValue(
        this.skipBlank(colon + 1),
        Object.hasOwn(unread, name) ? unread[name] : unread['*'],
      );
      if (end === -1) return -1;
      next = this.skipBlank(end);
      if (this.text[next] === '}') return next + 1;
      if (this.text[next] !== ',') return -1;
      next = this.skipBlank(next + 1);
    }
    return -1;
  }

  private compactValue(at: number, unread: true | UnreadMembers | undefined): number {
    const opening = this.text[at];
    if (opening === '{' && typeof unread === 'object') return this.compactObject(at, unread);
    const end = skipValue(this.text, at);
    if (unread === true && end !== -1 && (opening === '{' || opening === '[')) this.emptyRange(at, end);
    return end;
  }

  private emptyRange(from: number, to: number): void {
    this.parts.push(this.text.slice(this.copied_until, from), '{}');
    this.copied_until = to;
  }

  private skipBlank(at: number): number {
    if (at === -1) return -1;
    while (isBlank(this.text.charCodeAt(at))) at += 1;
    return at;
  }

  finish(): string {
    return this.parts.join('') + this.text.slice(this.copied_until);
  }
}

/** @returns the index after the value, -1 if the text ends inside it */
function skipValue(text: string, at: number): number {
  let depth = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') {
      at = skipString(text, at);
      if (at === -1) return -1;
    } else if (char === '}' || char === ']') {
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
    } else if (depth === 0 && char === ',') {
      return at;
    } else {
      if (char === '{' || char === '[') depth += 1;
      at += 1;
      continue;
    }
    if (depth === 0) return at;
  }
  return -1;
}

function skipString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return -1;
}

function parseName(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted;
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** UTF-16, which PowerShell writes, is detected by its byte order mark or by the zero byte next to the first character. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const little = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const big = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return new TextDecoder(little ? 'utf-16le' : big ? 'utf-16be' : 'utf-8').decode(bytes);
}

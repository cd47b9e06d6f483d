import { classifyLabel, fitsLabel, type LabelKind } from './labels.ts';
import { isBareSecret, isMixed, isPlainSecret } from './plain-secret.ts';
import { type FoundValue, readLine, readUntil, readValue, type Span } from './read-value.ts';

/** Words of which at least one is part of every name of a secret. */
const WORD =
  /passw(?:or)?d|pass[_-]?phrase|pwd|secret|token|credential|(?:api|access|private|shared?|account|auth|signing|encryption|master|session|cookie|hmac|jwt|license|storage|app|admin)[_.-]?key|masterauth|connection[_-]?string|psk|dsn|key(?![a-z])|auth(?![a-z])|sig(?:nature)?(?![a-z])|verify(?![a-z])|pass(?![a-z])|pw(?![a-z])/gi;
const NAME_CHARACTER = /[A-Za-z0-9_.-]/;
const MAX_NAME = 128;
const MAX_REFERENCE = 1024;
const CONTEXT = 64;

/** The end of a name and the sign between it and its value. */
const SIGN = /\\{0,7}["'`]?\]?[ \t]{0,80}(=>|:=|\?=|\+=|={1,3}|:)[ \t]{0,80}/y;
/** `"name": "DB_PASSWORD", "value": "…"`, `name="password" value="…"` and the same in YAML and HCL. */
const ENTRY = /\\{0,7}["']?[\s,]{0,80}\\{0,7}["']?(?:parameter)?value\\{0,7}["']?\s{0,40}[:=]\s{0,40}/iy;
const ENTRY_BEFORE = /(?:name|key)\\{0,7}["']?\s{0,40}[:=]\s{0,40}\\{0,7}["']?$/i;
/** `name="X-Api-Key" …><value>…` */
const ENTRY_TAG = /["'][^<>\n]{0,256}>\s{0,40}<value>\s{0,8}/iy;
/** `define('DB_PASSWORD', '…')` and calls that set a variable. */
const CALL_BEFORE = /\b(?:define|putenv|setenv|setProperty|put|set)\(\s{0,4}["']$/i;
const CALL = /["']\s{0,8},\s{0,8}(?=["'])/y;
/** After an option of a command, also as items of a list. */
const OPTION =
  /\\{0,7}["']?(?:,\s{0,40}(?=\\{0,7}["'])|\s{0,8}\n\s{0,40}-[ \t]{1,4}|[ \t]{1,8}(?:\\\r?\n[ \t]{0,40})?)(?:pass:)?(?!-)/y;
const TAG_BEFORE = /<(?:[\w-]{1,32}:)?$/;
const TAG = /(?:\s[^<>]{0,256})?(?<!\/)>/y;
/** Commands and directives that name a setting and its value without a sign. */
const DIRECTIVE_BEFORE =
  /(?:^|[\s"'])(?:ENV|set|setx|setenv|SetEnv|fastcgi_param|(?:proxy|grpc)_set_header|add_header|set-header|RequestHeader set|config(?: set)?)[ \t]{1,8}(?:--\w{1,16}[ \t]{1,8})?(?:\/\/[\w./-]{1,60}\/:)?$/;
const DIRECTIVE = /[ \t]{1,40}/y;
/** Where a name begins a line, a member of a flow mapping, or a quoted text. */
const START_BEFORE = /(?:^|[\n\r{[(]|\\n|["'`,;?&|]|^export|\nexport)[ \t]{0,60}(?:[-#][ \t]{1,8})?\\{0,7}["']?$/;
const REST = /[ \t]{0,80}(?:$|[\r\n,}\])"'`#;|&<]|\\[nr"'])/y;

interface Label extends Span {
  name: string;
  kind: LabelKind;
  /** The text before the name. */
  before: string;
}

/**
 * Values that a text assigns to the name of a secret: in scripts, env files, YAML, JSON, XML, INI, TOML, HCL,
 * connection strings, headers, and options of commands.
 */
export function* findAssignedValues(text: string): Iterable<Span> {
  const has_lines = text.includes('\n');
  let from = 0;
  for (;;) {
    WORD.lastIndex = from;
    const found = WORD.exec(text);
    if (found === null) return;
    const label = readLabel(text, found.index, WORD.lastIndex, from);
    from = label.end;
    if (label.kind === undefined) continue;
    const value = readLabeled(text, label as Label);
    if (value === undefined) continue;
    const accepted = isAccepted({ text, has_lines }, label as Label, value);
    // A rejected reference may contain another assignment; a long one is not read again, to stay linear.
    from = accepted || value.end - value.start > MAX_REFERENCE ? value.end : Math.max(label.end, value.start);
    if (accepted) yield { start: value.start, end: value.end };
  }
}

function readLabel(text: string, first: number, last: number, from: number) {
  let start = first;
  while (start > from && first - start < MAX_NAME && NAME_CHARACTER.test(text[start - 1] as string)) start--;
  let end = last;
  while (end < text.length && end - last < MAX_NAME && NAME_CHARACTER.test(text[end] as string)) end++;
  const name = text.slice(start, end);
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  return { start, end, name, kind: classifyLabel(name.replace(/^-{1,2}/, '')), before };
}

interface LabeledValue extends FoundValue {
  sign: string;
}

function readLabeled(text: string, label: Label): LabeledValue | undefined {
  const { end, before, name } = label;
  if (TAG_BEFORE.test(before)) {
    const tagged = skip(TAG, text, end);
    return tagged === undefined ? undefined : { ...readUntil(text, tagged, '<'), sign: '>' };
  }
  if (ENTRY_BEFORE.test(before)) {
    const entry = skip(ENTRY, text, end);
    if (entry !== undefined) return { ...readValue(text, entry), sign: '=' };
    const tag = skip(ENTRY_TAG, text, end);
    if (tag !== undefined) return { ...readUntil(text, tag, '<'), sign: '>' };
  }
  if (CALL_BEFORE.test(before)) {
    const call = skip(CALL, text, end);
    if (call !== undefined) return { ...readValue(text, call), sign: '=' };
  }
  SIGN.lastIndex = end;
  const [signed, sign = ''] = SIGN.exec(text) ?? [];
  if (signed !== undefined) return readSigned(text, label, end + signed.length, sign);
  if (!name.startsWith('-') && !DIRECTIVE_BEFORE.test(before)) return undefined;
  const at = skip(name.startsWith('-') ? OPTION : DIRECTIVE, text, end);
  return at === undefined ? undefined : { ...readValue(text, at), sign: ' ' };
}

function readSigned(text: string, { before, name }: Label, at: number, sign: string): LabeledValue | undefined {
  if (sign.startsWith('==')) return undefined;
  const value = readValue(text, at);
  const wide = !value.quoted && /phrase/i.test(name) && START_BEFORE.test(before);
  return { ...(wide ? readLine(text, at) : value), sign };
}

function skip(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

interface Source {
  text: string;
  /** Whether the text has several lines. */
  has_lines: boolean;
}

function isAccepted(
  { text, has_lines }: Source,
  { before, kind }: Label,
  { start, end, quoted, sign }: LabeledValue,
): boolean {
  const value = text.slice(start, end);
  if (kind !== 'secret' && (!fitsLabel(kind, value) || /\s/.test(value))) return false;
  const starts = START_BEFORE.test(before);
  if (quoted) return value.length >= 4 && isPlainSecret(value.trim()) && (starts || sign !== ':' || isMixed(value));
  if (!isBareSecret(value)) return false;
  if (sign !== ':') return true;
  // `secret:` inside an ARN, and prose.
  if (before.endsWith(':') || !/\s/.test(text[start - 1] as string)) return false;
  return (starts && skip(REST, text, end) !== undefined) || (has_lines && /\d/.test(value));
}

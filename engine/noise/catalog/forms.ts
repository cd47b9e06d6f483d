/** Whether two texts are two ways of writing one value; each form is a proof, and what it cannot prove differs. */
type Compare = (before: string, after: string) => boolean;

export type Form = keyof typeof FORMS;

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

const FORMS = {
  case: by(asciiLower),
  /** Runs of blanks and line ends, quoted text aside. */
  blanks: by((text) => text.trim().replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_run, quoted) => quoted ?? ' ')),
  last_dot: by((text) => text.replace(/\.$/, '')),
  last_slash: by((text) => text.replace(/\/$/, '')),
  last_newline: by((text) => text.replace(/[\r\n]+$/, '')),
  first_slash: by((text) => text.replace(/^\//, '')),
  /** `100.0` and `100.00`. */
  decimal: by((text) => (/^-?\d+(\.\d+)?$/.test(text) ? plainDecimal(text) : null)),
  /** `60s` and `1m`. */
  duration: by(seconds),
  /** `4:00` and `04:00`. */
  clock: by((text) => (/^\d{1,2}:\d\d$/.test(text) ? text.padStart(5, '0') : null)),
  /** `West Europe` and `westeurope`. */
  region: by((text) => (/^[A-Za-z0-9 ]+$/.test(text) ? asciiLower(text).replaceAll(' ', '') : null)),
  /** `2001:DB8:0::1` and `2001:db8::1`, with or without a prefix length. */
  ipv6: by(canonicalIpv6),
  /** A Google resource by full link, by path, or by its name alone where the link says no more. */
  link: sameLink,
  /** A name against the ARN that ends in it. */
  arn: sameArn,
} satisfies Record<string, Compare>;

export function compareBy(form: Form): Compare {
  return FORMS[form];
}

function by(write: (text: string) => string | null): Compare {
  return (before, after) => {
    const left = write(before);
    return left !== null && left === write(after);
  };
}

/** ASCII letters only: any other fold may join two names. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function plainDecimal(text: string): string {
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short.replace(/^(-?)0+(?=\d)/, '$1');
}

function seconds(text: string): string | null {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  return match === null ? null : String(Number(match[1]) * (UNITS[match[2] as string] as number));
}

function canonicalIpv6(text: string): string | null {
  const match = /^([0-9a-fA-F:]{2,39})(\/\d{1,3})?$/.exec(text);
  if (match === null) return null;
  const halves = (match[1] as string).split('::');
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array<string>(halves.length === 2 ? missing : 0).fill('0'), ...tail];
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return null;
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':') + (match[2] ?? '');
}

function sameLink(before: string, after: string): boolean {
  const left = linkPath(before);
  const right = linkPath(after);
  if (left === right) return left !== '';
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  // A name alone may be of another project; a path from `projects/` on may not.
  return short.startsWith('projects/') && long === short;
}

function linkPath(link: string): string {
  return link
    .replace(/^(?:https:)?\/\/[a-z0-9.-]+\.googleapis\.com\//, '')
    .replace(/^compute\/(?:v1|beta|alpha)\//, '');
}

function sameArn(before: string, after: string): boolean {
  const [name, arn] = before.startsWith('arn:') ? [after, before] : [before, after];
  if (name === '' || name.includes(':') || !arn.startsWith('arn:')) return false;
  return arn.endsWith(`/${name}`) || arn.endsWith(`:${name}`);
}

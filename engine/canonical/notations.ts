/** Values that are written in several ways, by the name of their argument. */
import { dropTrailing } from '../lib/trim.ts';
import { emailForm, regionForm } from './names.ts';
import { portsForm } from './network.ts';
import { asciiLower } from './values.ts';

type Form = (text: string) => string | null;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX_BYTES = /^(?:[0-9a-f]{2}[:-]?){5,63}[0-9a-f]{2}$/i;
const COLOR = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+*-]{1,100}(?:\s*;\s*[\w-]{1,40}=[\w-]{1,60}){0,4}$/;
const BRANCH = /^(?:refs\/heads\/)?([\w./-]{1,200})$/;
const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,2}$/i;
const REPOSITORY = /^(https:\/\/(?:github|gitlab|bitbucket)\.(?:com|org)\/[\w./-]{1,200}?)(?:\.git)?\/?$/i;
const PEM = /^\s*-----BEGIN [A-Z0-9 ]{1,60}-----/;
const SSH_KEY = /^(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-nistp\d{3}|sk-[\w@.-]{1,60}) [A-Za-z0-9+/=]{20,}/;
const TEXT_STRINGS = /^"[^"\\]*"(?: "[^"\\]*")*$/;

/** A form, and the names of the arguments to which it applies. */
const FORMS: readonly (readonly [names: RegExp, write: Form])[] = [
  [
    /(?:^|_)(?:thumbprint|thumbprints|thumbprint_list|fingerprint|fingerprints|mac|mac_address|serial|serial_number)$/,
    hexForm,
  ],
  [/(?:^|_)colou?r$/, (text) => (COLOR.test(text) ? asciiLower(text).replace('#', '') : null)],
  [/(?:^|_)(?:content_type|content_types|mime_type|media_type)$/, mediaTypeForm],
  [/(?:^|_)(?:branch|branches|ref|default_branch|git_ref)$/, (text) => BRANCH.exec(text)?.[1] ?? null],
  [/(?:^|_)(?:region|location|regions|locations)$/, regionForm],
  [/(?:^|_)(?:country|countries|country_code|country_codes|language|languages|locale|locales|currency)$/, languageForm],
  [
    /(?:^|_)(?:repository|repository_url|repo|repo_url|git_url|clone_url|source_repo)$/,
    (text) => REPOSITORY.exec(text)?.[1] ?? null,
  ],
  [/(?:^|_)(?:email|emails|email_address|email_addresses|recipient|recipients|mail|contact_emails)$/, emailForm],
  [/(?:^|_)(?:port|ports|port_range|port_ranges)$/, allPortsForm],
];

/** Whether two texts are the same value in another notation. */
export function isSameNotation(name: string, before: string, after: string): boolean {
  if (ANYWHERE.some((write) => hasSameForm(write, before, after))) return true;
  return FORMS.some(([names, write]) => names.test(name) && hasSameForm(write, before, after));
}

/** Forms that a text shows by itself. */
const ANYWHERE: readonly Form[] = [
  (text) => (UUID.test(text) ? asciiLower(text) : null),
  (text) => (PEM.test(text) ? text.replace(/\s+/g, '\n').trim() : null),
  (text) => (SSH_KEY.test(text) ? text.trim().replace(/\s+/g, ' ') : null),
];

/** The strings of a TXT record, which are read as one: `"a" "b"` and `"ab"`. */
export function textRecordForm(text: string): string | null {
  if (text.length > 5_000) return null;
  // Without quotation marks, a space divides a text.
  if (!text.startsWith('"')) return /\s/.test(text) ? null : text;
  return TEXT_STRINGS.test(text) ? text.slice(1, -1).replaceAll('" "', '') : null;
}

function hexForm(text: string): string | null {
  return HEX_BYTES.test(text) ? asciiLower(text).replace(/[:-]/g, '') : null;
}

function mediaTypeForm(text: string): string | null {
  return MEDIA_TYPE.test(text) ? asciiLower(text).replace(/\s+/g, '') : null;
}

function languageForm(text: string): string | null {
  return LANGUAGE.test(text) ? asciiLower(text).replaceAll('_', '-') : null;
}

function allPortsForm(text: string): string | null {
  if (/^(?:all|\*|0|[01]-65535)$/i.test(text)) return text === '0' ? null : 'all';
  return text.includes(',') ? portListForm(text) : portsForm(text);
}

function portListForm(text: string): string | null {
  const ports = dropTrailing(text, ' ')
    .split(',', 200)
    .map((port) => portsForm(port.trim()));
  return ports.includes(null) ? null : [...new Set(ports)].sort().join(',');
}

function hasSameForm(write: Form, before: string, after: string): boolean {
  const form = write(before);
  return form !== null && form === write(after);
}

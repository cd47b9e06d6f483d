import { isBareSecret, isGenerated, isMixed, isPlainSecret } from './plain-secret.ts';
import { type FoundValue, readUntil, readValue, type Span } from './read-value.ts';

/** A form of text that ends where a secret begins. */
interface Form {
  /** The text must match this; cheaper than `lead`. */
  hint: RegExp;
  lead: RegExp;
  read?: (text: string, at: number) => FoundValue;
  accept?: (value: string, quoted: boolean, lead: string) => boolean;
}

/** Names of cookies that log someone in. */
const SESSION = /sess|sid|auth|jwt|csrf|xsrf|remember/i;
const acceptAny = () => true;
const untilAt = (text: string, at: number) => readUntil(text, at, '@');

const FORMS: readonly Form[] = [
  // Headers and their schemes
  {
    hint: /authorization/i,
    lead: /authorization\\{0,7}["']?\s{0,8}(?:[:=,]|=>)\s{0,8}\\{0,7}["']?(?:(?:bearer|basic|token|digest|apikey|api-key|bot)\s{1,4})?/gi,
    accept: (value, quoted) => !/^[A-Z_]{1,40}$/.test(value) && acceptValue(value, quoted),
  },
  {
    hint: /bearer/i,
    lead: /(?<![A-Za-z0-9_-])bearer\s{1,4}(?=[A-Za-z0-9._~+/=-]{12})/gi,
    accept: (value) => isMixed(value) && isPlainSecret(value),
  },
  { hint: /basic /i, lead: /(?<![A-Za-z0-9_-])basic\s{1,4}(?=[A-Za-z0-9+/]{8})/gi, accept: isBasicCredential },
  // Cookies of sessions
  {
    hint: /cookie|curl/i,
    lead: /(?<![\w.%-])[\w.%-]{1,64}=(?=[^\s;"'])/g,
    accept: (value, _, lead) => SESSION.test(lead) && value.length >= 8 && isPlainSecret(value),
  },
  // SQL
  {
    hint: /identified/i,
    lead: /\bidentified\s{1,8}(?:with\s{1,8}["'`]?\w{1,64}["'`]?\s{1,8})?(?:by|as)\s{1,8}(?:password\s{1,8}|values\s{1,8})?/gi,
  },
  { hint: /passw/i, lead: /\bpassw(?:or)?d(?:\s{1,8}|\s{0,4}\(\s{0,4})(?=N?\\{0,7}["'])/gi },
  { hint: /set\s{1,8}password/i, lead: /\bset\s{1,8}password\s{1,8}for\s[^=;\n]{1,200}=\s{0,8}(?=\\{0,7}["'])/gi },
  // PowerShell and .NET
  { hint: /securestring/i, lead: /\bconvertto-securestring\s{1,8}(?:-(?:asplaintext|force|string)\s{1,8}){0,3}/gi },
  {
    hint: /credential/i,
    lead: /(?:ps|network)credential\s{0,4}\(\s{0,4}\\{0,7}["'][^"'\n]{1,128}["']\s{0,4},\s{0,4}/gi,
  },
  // .netrc, .pgpass, HAProxy, configuration directives
  { hint: /password/i, lead: /\b(?:login|user|machine)\s{1,8}[^\s"']{1,128}\s{1,8}(?:insecure-)?password\s{1,8}/gi },
  { hint: /:(?:\d{1,5}|\*):/, lead: /^[\w.*-]{1,128}:(?:\d{1,5}|\*):[\w*-]{1,64}:[\w.*-]{1,64}:/gm },
  {
    hint: /requirepass|masterauth|passw|bindpw|rootpw/i,
    lead: /^[ \t]{0,40}(?:requirepass|masterauth|passw(?:or)?d|bindpw|rootpw|enable (?:secret|password)(?: \d)?)[ \t]{1,16}(?=\S{1,1024}[ \t]{0,8}$)/gim,
    accept: (value, quoted, lead) => (quoted || !/passw/i.test(lead) || isMixed(value)) && acceptValue(value, quoted),
  },
  // Lists and commands that set passwords
  {
    hint: /chpasswd/i,
    lead: /(?:^[ \t]{0,40}(?:-[ \t]{1,4})?["']?|["'\s]|\\n)[a-z_][\w.-]{0,31}:(?=[^\s/:])/gim,
    accept: (value) => value !== 'RANDOM' && isBareSecret(value),
  },
  {
    hint: /user|change_password/i,
    lead: /\b(?:add_user|change_password|net1?\s{1,4}user)\s{1,4}["']?[\w.@-]{1,64}["']?\s{1,4}/gi,
  },
  {
    hint: /\bmc\s/,
    lead: /\bmc\s{1,4}(?:alias\s{1,4}set|config\s{1,4}host\s{1,4}add)(?:\s{1,4}[^\s]{1,256}){3}\s{1,4}/g,
  },
  { hint: /vault\s/, lead: /\bvault\s{1,4}login\s{1,4}(?![\w-]{1,32}=|-)/g },
  { hint: /htpasswd/, lead: /\bhtpasswd\s{1,4}-\w{0,4}b\w{0,4}\s{1,4}[^\s]{1,256}\s{1,4}[\w.@-]{1,64}\s{1,4}/g },
  { hint: /pass:/, lead: /(?:-pass(?:in|out)?|openssl[^\n]{0,200})\s{1,4}pass:/g },
  {
    hint: /stdin|sudo -S|-with-token/,
    lead: /\b(?:echo|printf)\s{1,4}(?:-[neE]{1,3}\s{1,4})?(?=["']?[^\s"'|]{4,256}["']?\s{0,4}\|[^\n]{0,200}(?:-stdin|sudo -S|-with-token))/g,
  },
  { hint: /<<</, lead: /-(?:stdin|with-token)\s{0,4}<<<\s{0,4}/g },
  { hint: /from-literal/, lead: /--from-literal[=\s]["']?[\w.-]{1,128}=/g },
  // Routers, VPN and wireless networks
  {
    hint: /authentication-key|pre-shared-key|community|psk|wpa_passphrase|neighbor/i,
    lead: /(?:\b(?:authentication-key|pre-shared-key|snmp-server community|wifi-sec\.psk|wpa_passphrase\s{1,4}\S{1,64})|:\s{1,4}PSK|\bneighbor\s{1,4}\S{1,64}\s{1,4}password(?:\s{1,4}\d)?)\s{1,8}/gi,
  },
  { hint: /\/pass:/i, lead: /\s\/pass:/gi },
  // Hashes of passwords: htpasswd, shadow
  {
    hint: /\$(?:2|apr1|[156y]|argon2)/,
    lead: /(?=\$(?:2[abxy]|apr1|[156y]|argon2(?:id|i|d))\$[./A-Za-z0-9$=,+]{16})/g,
    accept: acceptAny,
  },
  { hint: /:\{S?SHA\}/, lead: /:(?=\{S?SHA\}[A-Za-z0-9+/=]{20})/g, accept: acceptAny },
  // `token@` in a URL
  {
    hint: /:\/\/[\w-]{16,128}@/,
    lead: /:\/\/(?=[\w-]{16,128}@)/g,
    read: untilAt,
    accept: isGenerated,
  },
  // `user:password@` in a URL or a DSN of Go
  {
    hint: /:\/\/[^\n]{0,128}@/,
    lead: /:\/\/[^\s/:@?#"'<>]{0,128}:(?![$*{(<]|\d{1,5}[?#;,])(?=[^\s/@"'<>]{1,256}@)/g,
    read: untilAt,
    accept: isPlainSecret,
  },
  {
    hint: /@(?:tcp|udp|unix)\(/,
    lead: /(?<![\w.:/-])[\w.-]{1,64}:(?=[^\s@"'/]{1,256}@(?:tcp|udp|unix)\()/g,
    read: untilAt,
    accept: isPlainSecret,
  },
  {
    hint: /sqlplus/,
    lead: /\bsqlplus\s(?:[-\w]{1,16}\s){0,4}[\w.-]{1,64}\/(?=[^\s@"'/]{1,256}@)/g,
    read: untilAt,
    accept: isPlainSecret,
  },
];

/** Secrets in texts of a fixed form: headers, cookies, SQL, password files and commands that set passwords. */
export function* findStatementValues(text: string): Iterable<Span> {
  for (const { hint, lead, read = readValue, accept = acceptValue } of FORMS) {
    if (!hint.test(text)) continue;
    let end = -1;
    for (const { 0: matched, index } of text.matchAll(lead)) {
      if (index < end) continue;
      const value = read(text, index + matched.length);
      ({ end } = value);
      if (accept(text.slice(value.start, end), value.quoted, matched)) yield { start: value.start, end };
    }
  }
}

function acceptValue(value: string, quoted: boolean): boolean {
  return quoted ? value.length >= 4 && isPlainSecret(value) : isBareSecret(value);
}

function isBasicCredential(value: string): boolean {
  return /^[\x20-\x7e]{0,64}:[\x20-\x7e]{1,512}$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

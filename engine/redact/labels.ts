import { isGenerated } from './plain-secret.ts';
import { isSecretName } from './secrets.ts';

/** `DB_PASS`, `smtpPwd`, `bindpw`, `requirepass`, `.storepass` */
const PASS =
  /(?:^|[_.-])(?:pass|pwd|pw)\d{0,2}$|(?:^|[_.-])(?:(?:store|key|require|bind|user|root|admin|db|smtp|ssh|sudo)pass|bindpw|rootpw|masterauth)$/i;
const PASS_CAMEL = /[a-z](?:Pass|Pwd)$|^PGPASS$/;
/** Names of keys that may also be names or ids of keys, so their values need more evidence. */
const KEY =
  /(?:access|account|auth|signing|encryption|master|session|cookie|hmac|jwt|license|storage|app|shared|admin)[_.-]?key(?:[_.-]?(?:base|value|\d))?$/i;
/** Last words of settings about secrets, whose values are not secret. */
const SETTING_WORDS: ReadonlySet<string> = new Set(
  `type types mode policy policies length ttl expiry expires expiration lifetime duration rotation period days format kind
  location path paths file files filename dir directory mount prefix suffix source owner region algorithm status ref
  reference from store provider manager engine class namespace endpoint uri host port issuer audience scope scopes count
  size min max limit hint label title description required name names id ids arn version enabled disabled url username
  user users field header env var stdin permissions actions action subject role roles backend driver validity issuers
  method strategy command cidrs uses attempts reset change changed age history`.split(/\s+/),
);
/** Charts name a Kubernetes secret: `existingSecret`, `imagePullSecrets`. */
const SECRET_OBJECT = /existing|image_?pull|keyref/i;
const MAX_NAME = 128;

/** Names that are often those of secrets: of keys, signatures and logins. */
const HINT =
  /(?:[a-z0-9][_.-]|[a-z])(?:key|KEY|Key)$|(?:^|[_.-])(?:sig|signature|verify|basic[_-]?auth|auth)$|[a-z](?:Auth|Sig|Signature)$/i;
/** Keys that only name or identify something, or that everyone may know. */
const PUBLIC_KEY =
  /(?:public|pub|kms|cmk|cmek|sort|hash|range|partition|primary|foreign|cache|object|s3|tag|label|map|lookup|row|index|group|idempotency|registry|config|feature|flag|translation|resource|project|context|shard|sharding|event|message|dedup|deduplication|image|file|path|known|host|ssh|gpg|pgp|env|json|yaml|header|query|form|field|param|parameter|column|attribute|metric|dimension|selector|topology|state|lock|mon|turn|don|jo|hot)[_.-]?key$/i;

/**
 * How surely a name says that its value is a secret. `hint`: only if the value looks generated, too.
 */
export type LabelKind = 'secret' | 'key' | 'hint';

/** @param name an identifier, such as `DB_PASSWORD`, `auth.password` or `--api-key`; undefined if it labels no secret */
export function classifyLabel(name: string): LabelKind | undefined {
  if (name.length > MAX_NAME || SETTING_WORDS.has(readLastWord(name)) || SECRET_OBJECT.test(name)) return undefined;
  if (isSecretName([name]) || PASS.test(name) || PASS_CAMEL.test(name)) return 'secret';
  if (KEY.test(name)) return 'key';
  return HINT.test(name) && !PUBLIC_KEY.test(name) ? 'hint' : undefined;
}

/** Whether a name alone says that its value is a secret. */
export function isSecretLabel(kind: LabelKind | undefined): boolean {
  return kind !== undefined && kind !== 'hint';
}

const MIN_KEY_LENGTH = 12;

/** Whether the value of a name is long or random enough for what the name says. */
export function fitsLabel(kind: LabelKind, value: string): boolean {
  if (kind === 'secret') return true;
  return kind === 'key' ? value.length >= MIN_KEY_LENGTH : isGenerated(value.slice(value.lastIndexOf(':') + 1));
}

function readLastWord(name: string): string {
  const words = name.match(/[A-Z]?[a-z0-9]+|[A-Z0-9]+/g);
  return (words?.at(-1) ?? '').toLowerCase();
}

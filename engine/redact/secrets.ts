export { holdsSecret } from './secret-patterns.ts';

const SECRET_WORD =
  /password|passwd|pass[_-]?phrase|secret|token|private[_-]?key|shared?[_-]?key|connection[_-]?string|api[_-]?key|credential/i;
/** Abbreviations that other words hold as well (`adDSNap`): only where a word begins and ends, in any spelling of names. */
const ABBREVIATION =
  /(?<![A-Za-z])(?:psk|dsn)s?(?![a-z])|(?:Psk|Dsn)s?(?![a-z])|(?<![A-Z])(?:PSK|DSN)s?(?![A-Za-z])|(?<![A-Z])(?:PSK|DSN)(?=[A-Z][a-z])/;
/** Says something about a secret without being it; alone (`secret.name`) as well as at the end (`secret_name`). */
const ABOUT = /(?:^|[_-])(?:arn|id|name|ttl|version|enabled|url)$/i;
const ABOUT_CAMEL = /[a-z0-9](?:Arn|ARN|Id|ID|Name|Ttl|TTL|Version|Enabled|Url|URL)$/;
/** Settings with words of an API as values, which the rules judge and a reader must see. */
const SETTINGS = new Set(['http_tokens', 'secret_permissions']);

/**
 * Whether an attribute's path says that its value is a secret: a key on the way holds such a word, and neither that key
 * nor the last one ends like a mere reference (`_arn`, `_id`, `_name`, `_ttl`, `_version`, `_enabled`, `_url`).
 *
 * @param segments path of the value; list indexes do not count
 * @see openapi.yaml, AttributeDiff.scrubbed
 */
export function isSecretName(segments: readonly (string | number)[]): boolean {
  let naming = UNNAMED;
  for (const segment of segments) if (typeof segment === 'string') naming = extendNaming(naming, segment);
  return namesSecret(naming);
}

/** What the names on the way to a value say of it; a walk carries it along. */
export interface Naming {
  /** A name so far holds a word for a secret, and is no mere reference. */
  readonly named: boolean;
  readonly last: string;
}

export const UNNAMED: Naming = { named: false, last: '' };

export function extendNaming({ named }: Naming, name: string): Naming {
  return { named: named || (mentionsSecret(name) && !isAbout(name)), last: name };
}

export function namesSecret({ named, last }: Naming): boolean {
  return named && !isAbout(last);
}

function isAbout(name: string): boolean {
  return ABOUT.test(name) || ABOUT_CAMEL.test(name) || SETTINGS.has(name);
}

/** Whether any word of a text could make `isSecretName` true: a quick look before closer ones. */
export function mentionsSecret(text: string): boolean {
  return SECRET_WORD.test(text) || ABBREVIATION.test(text);
}

export { holdsSecret } from './forms.ts';

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
  let named = false;
  let last = '';
  for (const segment of segments) {
    if (typeof segment !== 'string') continue;
    last = segment;
    named ||= speaksOfSecrets(segment) && !isAbout(segment);
  }
  return named && !isAbout(last);
}

function isAbout(name: string): boolean {
  return ABOUT.test(name) || ABOUT_CAMEL.test(name) || SETTINGS.has(name);
}

/** Whether any word of a text could make `isSecretName` true: a quick look before closer ones. */
export function speaksOfSecrets(text: string): boolean {
  return SECRET_WORD.test(text) || ABBREVIATION.test(text);
}

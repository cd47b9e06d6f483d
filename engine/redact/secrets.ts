export { holdsSecret, listSecrets } from './secret-patterns.ts';

const SECRET_WORD =
  /password|passwd|pass[_-]?phrase|secret|token|private[_-]?key|shared?[_-]?key|connection[_-]?string|api[_-]?key|credential/i;
/** Abbreviations that other words may contain (`adDSNap`): matched at word boundaries in any naming style. */
const ABBREVIATION =
  /(?<![A-Za-z])(?:psk|dsn)s?(?![a-z])|(?:Psk|Dsn)s?(?![a-z])|(?<![A-Z])(?:PSK|DSN)s?(?![A-Za-z])|(?<![A-Z])(?:PSK|DSN)(?=[A-Z][a-z])/;
/** Names for metadata of a secret: alone (`secret.name`) or as a suffix (`secret_name`). */
const ABOUT = /(?:^|[_-])(?:arn|id|name|ttl|version|enabled|url)$/i;
const ABOUT_CAMEL = /[a-z0-9](?:Arn|ARN|Id|ID|Name|Ttl|TTL|Version|Enabled|Url|URL)$/;
/** Settings with API keywords as values, which rules evaluate and readers need to see. */
const SETTINGS = new Set(['http_tokens', 'HttpTokens', 'secret_permissions']);

/**
 * Whether a path names a secret: one of its keys contains a secret word, and neither that key nor the last one ends
 * like a reference (`_arn`, `_id`, `_name`, `_ttl`, `_version`, `_enabled`, `_url`).
 *
 * @param segments path of the value; list indexes are ignored
 * @see openapi.yaml, AttributeDiff.scrubbed
 */
export function isSecretName(segments: readonly (string | number)[]): boolean {
  let naming = UNNAMED;
  for (const segment of segments) if (typeof segment === 'string') naming = extendNaming(naming, segment);
  return namesSecret(naming);
}

/** Facts from the names on a path, extended segment by segment. */
export interface Naming {
  /** A name so far contains a secret word and is not a reference. */
  readonly named: boolean;
  readonly last: string;
}

export const UNNAMED: Naming = { named: false, last: '' };

export function extendNaming({ named }: Naming, name: string): Naming {
  return { named: named || (mentionsSecret(name) && !isAbout(name)), last: name };
}

const MAX_KNOWN_NAMES = 10_000;

/** Creates `extendNaming` with a cache, for a value with many members: most names repeat in every resource. */
export function createNamingCache(): typeof extendNaming {
  const known = new Map<string, Naming>();
  return (naming, name) => {
    if (naming.named) return extendNaming(naming, name);
    let found = known.get(name);
    if (found === undefined) {
      found = extendNaming(naming, name);
      if (known.size < MAX_KNOWN_NAMES) known.set(name, found);
    }
    return found;
  };
}

export function namesSecret({ named, last }: Naming): boolean {
  return named && !isAbout(last);
}

function isAbout(name: string): boolean {
  return ABOUT.test(name) || ABOUT_CAMEL.test(name) || SETTINGS.has(name);
}

/** Quick test whether a text could contain a secret name. */
export function mentionsSecret(text: string): boolean {
  return SECRET_WORD.test(text) || ABBREVIATION.test(text);
}

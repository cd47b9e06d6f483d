/** Parses engine versions and TLS versions in the notations of providers. */
import { dropTrailing } from '../../lib/trim.ts';

export interface Version {
  /** The text before the number, in lower case and without `_` or `-` at the end; empty for a bare number. */
  family: string;
  parts: number[];
}

const VERSION = /^([A-Za-z_-]{0,40}?)[vV]?(\d{1,6}(?:[._]\d{1,6}){0,4})/;

/**
 * Parses `13.4`, `8.0.mysql_aurora.3.05.2`, `POSTGRES_14`, `OpenSearch_2.11` or `1.29`; undefined when there is no
 * number.
 */
export function versionParts(text: string): Version | undefined {
  const match = VERSION.exec(text);
  if (!match) return undefined;
  return { family: dropTrailing(match[1]!.toLowerCase(), '_-'), parts: match[2]!.split(/[._]/).map(Number) };
}

/** Lowest TLS version of policies whose name does not contain it. */
const POLICIES: Record<string, number> = {
  appgwsslpolicy20150501: 10,
  appgwsslpolicy20170401: 11,
  appgwsslpolicy20170401s: 12,
  appgwsslpolicy20220101: 12,
  appgwsslpolicy20220101s: 12,
  'elbsecuritypolicy-2015-05': 10,
  'elbsecuritypolicy-2016-08': 10,
  'elbsecuritypolicy-fs-2018-06': 10,
  'elbsecuritypolicy-tls-1-0-2015-04': 10,
  sslv3: 3,
  tlsv1: 10,
  tlsv1_2016: 10,
};
const NUMBER = /(?:^|[^0-9])1[._-]([0-3])(?![0-9])/g;

/**
 * Returns the lowest TLS version that a setting or a named policy accepts, as 10, 11, 12 or 13; 3 for SSLv3.
 *
 * @returns undefined when the name contains no known version
 */
export function tlsVersion(text: string): number | undefined {
  const name = text.toLowerCase();
  if (name.length > 80) return undefined;
  if (Object.hasOwn(POLICIES, name)) return POLICIES[name];
  let lowest: number | undefined;
  for (const match of name.matchAll(NUMBER)) lowest = Math.min(lowest ?? 99, 10 + Number(match[1]));
  return lowest;
}

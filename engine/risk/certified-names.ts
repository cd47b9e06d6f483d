/** Certificates that take the place of others: whether every name of the old one is still certified. */
import type { ResourceChange } from '../changes/types.ts';
import { isObject } from '../lib/is-object.ts';
import type { JsonObject, JsonValue } from '../model/result.ts';

const CERTIFICATE = /(?:^|_)certificate$/;
const NAMES: readonly string[] = [
  'domain_name',
  'subject_alternative_names',
  'domains',
  'dns_names',
  'common_name',
  'hosts',
];

/** Returns true for a replaced certificate whose new names contain all former ones. */
export function keepsCertifiedNames({ type, before, after }: ResourceChange): boolean {
  if (!CERTIFICATE.test(type) || before === null || after === null) return false;
  const [was, is] = [listNames(before), new Set(listNames(after))];
  return was.length > 0 && was.every((name) => is.has(name));
}

/** Names of the certificate itself, or of the block that describes it. */
function listNames(values: JsonObject): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (NAMES.includes(key)) return listTexts(value);
    return Array.isArray(value)
      ? value.filter(isObject).flatMap((block) => NAMES.flatMap((name) => listTexts(block[name])))
      : [];
  });
}

function listTexts(value: JsonValue | undefined): string[] {
  return [value].flat().filter((item) => typeof item === 'string');
}

import { createHmac, hash } from 'node:crypto';
import { extendPath } from '../changes/path.ts';
import type { ChangeShape } from '../equivalence/shapes.ts';
import type { AttributeDiff } from '../model/result.ts';

export interface NoisePattern {
  action: string;
  /** Attribute path with every list index written `[*]`. */
  attribute: string;
  change_shape: ChangeShape;
  resource_type: string;
  /** 16 hex of {@link valueDigest} for a `value_change`, else null. */
  value_digest: string | null;
}

/**
 * The identity of a noise pattern: the first 32 hex of SHA-256 over `pn1`, a newline and the pattern as canonical JSON.
 * The address is not part of it.
 */
export function fingerprint(pattern: NoisePattern): string {
  const { action, attribute, change_shape, resource_type, value_digest } = pattern;
  // The five keys are already in canonical order, so `JSON.stringify` produces canonical JSON.
  const text = JSON.stringify({ action, attribute, change_shape, resource_type, value_digest });
  return hash('sha256', `pn1\n${text}`, 'hex').slice(0, 32);
}

/**
 * 16 hex digits of HMAC-SHA256, so that the same value change always has the same digest.
 *
 * @param values canonical JSON of `[before, after]`
 */
export function valueDigest(key: Uint8Array, values: string): string {
  return createHmac('sha256', key).update(values).digest('hex').slice(0, 16);
}

/**
 * The path of a diff with its list indexes as `[*]`, so that `ingress[0].port` and `ingress[3].port` are one pattern.
 */
export function attributePattern({ path, path_segments }: AttributeDiff): string {
  if (!path_segments.some((segment) => typeof segment === 'number')) return path;
  let pattern = '';
  for (const segment of path_segments) {
    pattern = typeof segment === 'number' ? `${pattern}[*]` : extendPath(pattern, segment);
  }
  return pattern;
}

import type { ColumnSealer } from '../../db/index.ts';
import { configSeals } from './seals.ts';
import type { StoredTarget, Target } from './types.ts';

const SHOWN_CHARACTERS = 4;
/** A shorter path is hidden completely, because its end would reveal most of it. */
const LEAST_HIDDEN = 12;

/**
 * The public form of a server's URL: its host, and the last characters of the path, which often is a secret
 * (`https://hooks.slack.com/…x9Zk`).
 */
export function maskAddress(address: string): string {
  const { origin, pathname, search, hash } = new URL(address);
  const path = pathname + search + hash;
  if (path === '/') return `${origin}/`;
  const end = path.length >= SHOWN_CHARACTERS + LEAST_HIDDEN ? path.slice(-SHOWN_CHARACTERS) : '';
  return `${origin}/…${end}`;
}

/** A target in its stored form: the URL of a server encrypted, and only its public part in clear text. */
export function sealTarget(
  sealer: ColumnSealer,
  { orgId, id }: { orgId: string; id: string },
  target: Target,
): StoredTarget {
  if (target.provider !== 'generic') return { ...target, target_ct: null };
  const target_ct = configSeals(sealer, orgId, id).seal('target_ct', target.provider_base_url);
  return { ...target, provider_base_url: maskAddress(target.provider_base_url), target_ct };
}

/**
 * The URL to call. Records of older releases contain it in clear text until the service has encrypted them.
 *
 * @throws SealError
 */
export function openAddress(
  sealer: ColumnSealer,
  orgId: string,
  { id, provider_base_url, target_ct }: { id: string } & Pick<StoredTarget, 'provider_base_url' | 'target_ct'>,
): string {
  return target_ct === null ? provider_base_url : configSeals(sealer, orgId, id).open('target_ct', target_ct);
}

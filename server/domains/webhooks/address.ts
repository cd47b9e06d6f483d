import type { ColumnSealer } from '../../db/index.ts';
import { configSeals } from './seals.ts';
import type { StoredTarget, Target } from './types.ts';

const SHOWN_CHARACTERS = 4;
/** A shorter path is hidden as a whole: its end would say most of it. */
const LEAST_HIDDEN = 12;

/**
 * The address of a server as it may be shown: its host, and the last characters of the path, which often is a secret
 * (`https://hooks.slack.com/…x9Zk`).
 */
export function maskAddress(address: string): string {
  const { origin, pathname, search, hash } = new URL(address);
  const path = pathname + search + hash;
  if (path === '/') return `${origin}/`;
  const end = path.length >= SHOWN_CHARACTERS + LEAST_HIDDEN ? path.slice(-SHOWN_CHARACTERS) : '';
  return `${origin}/…${end}`;
}

/** A target as it is stored: the address of a server sealed, and in clear only what may be shown of it. */
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
 * The address to call. Records of releases that did not seal it hold it in clear until the service has sealed them.
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

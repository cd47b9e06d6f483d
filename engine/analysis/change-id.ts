import { hash } from 'node:crypto';
import type { ResourceChange } from '../changes/types.ts';

/** Stable across runs of the same configuration, so that a comment can show what is new. */
export function changeId({ address, deposed }: Pick<ResourceChange, 'address' | 'deposed'>): string {
  return `chg_${hash('sha256', `${address}|${deposed ?? ''}`, 'hex').slice(0, 16)}`;
}

import type { Mask } from '../plan/types.ts';
import { holdsMark, isContainer, type MaybeJson } from './values.ts';

/** The three masks of a change at one path. A mask is undefined when nothing below the path is marked. */
export interface Overlay {
  readonly unknown: Mask;
  readonly before_sensitive: Mask;
  readonly after_sensitive: Mask;
}

/** Returns the overlay of a whole change; null when no mask marks anything, so that no further checks are needed. */
export function createOverlay(masks: Overlay): Overlay | null {
  const unknown = holdsMark(masks.unknown) ? masks.unknown : undefined;
  const before_sensitive = holdsMark(masks.before_sensitive) ? masks.before_sensitive : undefined;
  const after_sensitive = holdsMark(masks.after_sensitive) ? masks.after_sensitive : undefined;
  if (unknown === undefined && before_sensitive === undefined && after_sensitive === undefined) return null;
  return { unknown, before_sensitive, after_sensitive };
}

/** Returns the overlay of one member or item; null when no mask marks anything below it. */
export function overlayAt(overlay: Overlay, key: string | number): Overlay | null {
  const unknown = maskAt(overlay.unknown, key);
  const before_sensitive = maskAt(overlay.before_sensitive, key);
  const after_sensitive = maskAt(overlay.after_sensitive, key);
  if (unknown === undefined && before_sensitive === undefined && after_sensitive === undefined) return null;
  return { unknown, before_sensitive, after_sensitive };
}

export function maskAt(mask: Mask, key: string | number): Mask {
  if (mask === undefined || !isContainer(mask)) return undefined;
  const fits = Array.isArray(mask) ? typeof key === 'number' : Object.hasOwn(mask, key);
  const child = fits ? (mask as Record<string | number, Mask>)[key] : undefined;
  return child === true || isContainer(child) ? child : undefined;
}

/**
 * Returns true when the mask marks the whole value: it is `true`, or its shape differs from the value's, so the marked
 * part is not known.
 */
export function marksWhole(mask: Mask, value: MaybeJson): boolean {
  if (mask === true) return true;
  if (!isContainer(mask) || value === undefined || value === null) return false;
  const fits = isContainer(value) && Array.isArray(mask) === Array.isArray(value);
  return !fits && holdsMark(mask);
}

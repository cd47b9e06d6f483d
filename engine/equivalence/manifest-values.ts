/** Values of Kubernetes manifests that can be written in several ways: quantities, durations and sizes of PostgreSQL. */
import { metricQueryForm, quantityForm } from '../canonical/quantities.ts';
import { durationForm } from '../canonical/times.ts';
import type { PathNode } from '../changes/path-node.ts';
import type { AttributeDiff } from '../model/result.ts';

/** Blocks whose members are quantities. */
const QUANTITY_BLOCKS: ReadonlySet<string> = new Set([
  ...['limits', 'requests', 'hard', 'capacity', 'maxAllowed', 'minAllowed', 'defaultRequest'],
]);
const QUANTITIES: ReadonlySet<string> = new Set(['averageValue', 'sizeLimit', 'storageSize', 'size']);
const DURATION = /(?:interval|timeout|duration|period|delay|ttl|renewbefore|after|lifetime|wait)$/i;
/** Members with names that users choose. */
const FREE: ReadonlySet<string> = new Set(['labels', 'annotations', 'data', 'stringData', 'matchLabels', 'parameters']);

const DATABASE_SIZE = /^(\d{1,12})(kB|MB|GB|TB)$/;
const KILOBYTES = new Map([
  ['kB', 1n],
  ['MB', 1024n],
  ['GB', 1024n ** 2n],
  ['TB', 1024n ** 3n],
]);

/** Whether both texts of a leaf are the same amount. */
export function isSameAmount(node: PathNode, { before, after }: AttributeDiff): boolean {
  if (typeof before !== 'string' || typeof after !== 'string') return false;
  const write = findForm(node);
  const form = write === null ? null : write(before);
  return form !== null && form === write?.(after);
}

function findForm({ name, parent }: PathNode): ((text: string) => string | null) | null {
  const block = parent?.name ?? '';
  if (QUANTITY_BLOCKS.has(block)) return quantityForm;
  if (block === 'parameters') return databaseSizeForm;
  if (FREE.has(block)) return null;
  if (QUANTITIES.has(name)) return quantityForm;
  if (name === 'expr') return metricQueryForm;
  return DURATION.test(name) ? durationForm : null;
}

/** PostgreSQL counts 1024 kB as 1 MB. */
function databaseSizeForm(text: string): string | null {
  const [, amount, unit = ''] = DATABASE_SIZE.exec(text) ?? [];
  return amount === undefined ? null : String(BigInt(amount) * KILOBYTES.get(unit)!);
}

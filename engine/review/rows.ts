import { plural } from '../model/counts.ts';
import { listTypes, TABLE_HEAD, tableRow } from '../render/cells.ts';
import type { Row } from '../render/view.ts';
import type { Block, Piece, Rank, Tally } from './pack.ts';
import { RANKS } from './pack.ts';
import { toWeight } from './weights.ts';

export const DESTROYED = 'destroyed or replaced';
const SECURITY = new Set(['iam', 'network', 'security', 'encryption']);
const MAX_COUNT = 9_999_999;

/** Ranks destructive changes first, then security-related ones. */
export function reviewPiece(row: Row): Piece {
  if (row.is_destroyed) return rowPiece(row, RANKS.destroyed, DESTROYED);
  const security = row.categories.some((category) => SECURITY.has(category));
  return rowPiece(row, security ? RANKS.security : RANKS.update, 'of level medium or above');
}

export function rowPiece(row: Row, rank: Rank, kind: string): Piece {
  return { rank, kind, type: row.type, weight: toWeight(row.level), write: () => tableRow(row) };
}

export function tableBlock(pieces: Piece[], title?: string): Block {
  if (title === undefined) return { open: `${TABLE_HEAD}\n`, close: '', pieces };
  return { open: `<details><summary>${title}</summary>\n\n${TABLE_HEAD}\n`, close: '\n\n</details>', pieces };
}

export interface TallyOptions {
  /** Deletes and replaces that the result does not list. */
  destroyed_unlisted?: number;
  /** Other changes that the result does not list. */
  unlisted?: number;
  /** Markdown link to the full result; empty if there is none. */
  link: string;
}

/** `**+ 12 more destroyed or replaced** (10 aws_instance, 2 aws_subnet), 300 drifted resources`. */
export function buildTally(blocks: readonly Block[], options: TallyOptions): Tally {
  const kinds = new Map<string, Piece>();
  const types = new Map<string, number>();
  for (const { kind, type } of blocks.flatMap(({ pieces }) => pieces)) {
    kinds.set(kind, { rank: RANKS.judged, kind, write: () => '' });
    if (type !== undefined && kind === DESTROYED) types.set(type, Buffer.byteLength(listTypes([{ type }])));
  }
  const longest = [...types.values()].sort((a, b) => b - a).slice(0, 3);
  const longestText = [...kinds].map(([kind]) => `+ ${MAX_COUNT} ${kind}`).join(', ');
  const bytes =
    Buffer.byteLength(longestText + options.link) + longest.reduce((sum, length) => sum + length + 10, 0) + 200;
  return { blocks, bytes, write: (cut) => writeTally(cut, options) };
}

function writeTally(cut: readonly Piece[], { destroyed_unlisted = 0, unlisted = 0, link }: TallyOptions): string {
  const destroyed = cut.filter(({ kind }) => kind === DESTROYED);
  const kinds = new Map<string, number>();
  for (const { kind, count = 1 } of cut) if (kind !== DESTROYED) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  const types = listTypes(destroyed.map(({ type = '' }) => ({ type })));
  const parts = [
    destroyed.length > 0 ? `**+ ${destroyed.length} more ${DESTROYED}** (${types})` : '',
    destroyed_unlisted > 0 ? `**+ ${destroyed_unlisted} more ${DESTROYED}**, not listed in the result` : '',
    ...[...kinds].map(([kind, count]) => `+ ${count} more ${kind}`),
    unlisted > 0 ? `+ ${plural(unlisted, 'more change')} of lower risk` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return '';
  return `Not shown here: ${parts.join(', ')}${link === '' ? '.' : ` · ${link}`}`;
}

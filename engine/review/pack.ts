/** Priority of pieces when not everything fits; independent of their order on the page. */
export const RANKS = {
  judged: 0,
  checks: 1,
  destroyed: 2,
  security: 3,
  reversal: 4,
  delta: 5,
  not_evaluated: 6,
  explanation: 7,
  update: 8,
  drift: 9,
  noise: 10,
  narrative: 11,
} as const;
export type Rank = (typeof RANKS)[keyof typeof RANKS];

/** A row or a line, shown completely or not at all. */
export interface Piece {
  rank: Rank;
  /** Pieces of one rank are placed in descending order of weight. */
  weight?: number;
  /** Noun for omitted pieces: `drifted resources`. */
  kind: string;
  /** How many changes the piece stands for; default 1. */
  count?: number;
  type?: string;
  /** Called only if there is room. */
  write: () => string;
}

/** Pieces under one heading or in one collapsed section. */
export interface Block {
  /** Text before the pieces; omitted if no piece is shown. */
  open: string;
  close: string;
  pieces: Piece[];
}

/** A line that counts the omitted pieces of other blocks. */
export interface Tally {
  blocks: readonly Block[];
  /** Maximum length of the line in UTF-8 bytes. */
  bytes: number;
  write(cut: readonly Piece[]): string;
}

export type Item = string | Block | Tally;

interface Candidate {
  block: Block;
  piece: Piece;
}

/** Destroyed resources come first, but leave room for security changes. */
const DESTROYED_SHARE = 0.5;
const BETWEEN = '\n\n';

/**
 * Fills a page: always includes texts and tallies, and adds pieces by rank while they fit.
 *
 * @param limit UTF-8 bytes; texts and tallies alone must be shorter
 * @returns the items in their order, separated by blank lines
 */
export function pack(items: readonly Item[], limit: number): string {
  const room = { left: limit - items.reduce((total, item) => total + fixedBytes(item), 0) };
  const shown = new Map<Piece, string>();
  const opened = new Set<Block>();
  for (const [rank, candidates] of groupByRank(items)) {
    const share = rank === RANKS.destroyed ? { left: room.left * DESTROYED_SHARE } : room;
    const before = share.left;
    takePieces(candidates, { room: share, shown, opened });
    if (share !== room) room.left -= before - share.left;
  }
  return items.flatMap((item) => write(item, shown)).join(BETWEEN);
}

/** Bytes that an item always needs. */
export function fixedBytes(item: Item): number {
  if (typeof item === 'string') return Buffer.byteLength(item) + BETWEEN.length;
  return 'write' in item ? item.bytes + BETWEEN.length : 0;
}

function groupByRank(items: readonly Item[]): [Rank, Candidate[]][] {
  const ranks = new Map<Rank, Candidate[]>();
  for (const item of items) {
    if (typeof item === 'string' || 'write' in item) continue;
    for (const piece of item.pieces) {
      const list = ranks.get(piece.rank);
      if (list === undefined) ranks.set(piece.rank, [{ block: item, piece }]);
      else list.push({ block: item, piece });
    }
  }
  for (const list of ranks.values()) list.sort((a, b) => (b.piece.weight ?? 0) - (a.piece.weight ?? 0));
  return [...ranks].sort(([a], [b]) => a - b);
}

interface PackState {
  room: { left: number };
  shown: Map<Piece, string>;
  opened: Set<Block>;
}

/** After a piece of a block does not fit, the block gets no further pieces of that rank. */
function takePieces(candidates: Candidate[], { room, shown, opened }: PackState): void {
  const full = new Set<Block>();
  for (const { block, piece } of candidates) {
    if (full.has(block)) continue;
    const text = piece.write();
    const around = opened.has(block) ? 1 : Buffer.byteLength(block.open + block.close) + BETWEEN.length;
    const bytes = Buffer.byteLength(text) + around;
    if (bytes > room.left) {
      full.add(block);
      continue;
    }
    room.left -= bytes;
    opened.add(block);
    shown.set(piece, text);
  }
}

function write(item: Item, shown: ReadonlyMap<Piece, string>): string[] {
  if (typeof item === 'string') return item === '' ? [] : [item];
  if ('write' in item) {
    const line = item.write(item.blocks.flatMap(({ pieces }) => pieces.filter((piece) => !shown.has(piece))));
    return line === '' ? [] : [line];
  }
  const texts = item.pieces.flatMap((piece) => shown.get(piece) ?? []);
  return texts.length === 0 ? [] : [item.open + texts.join('\n') + item.close];
}

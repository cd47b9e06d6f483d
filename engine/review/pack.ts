/** Of what is shown first when there is not room for everything; the order of the ranks is not the order on the page. */
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

/** A row or a line: shown as a whole or not at all. */
export interface Piece {
  rank: Rank;
  /** Pieces of one rank are taken in descending order of it. */
  weight?: number;
  /** What it is counted as when it is cut: `drifted resources`. */
  kind: string;
  /** How many it counts for; one unless given. */
  count?: number;
  type?: string;
  /** Asked only while there is room. */
  write: () => string;
}

/** Pieces under one title or in one fold. */
export interface Block {
  /** Around the pieces; left out where no piece is shown. */
  open: string;
  close: string;
  pieces: Piece[];
}

/** A line about the pieces of other blocks that were cut. */
export interface Tally {
  blocks: readonly Block[];
  /** UTF-8 bytes that the line takes at most. */
  bytes: number;
  write(cut: readonly Piece[]): string;
}

export type Item = string | Block | Tally;

interface Candidate {
  block: Block;
  piece: Piece;
}

/** Whatever is destroyed comes first, but leaves room for an opened firewall. */
const DESTROYED_SHARE = 0.5;
const BETWEEN = '\n\n';

/**
 * Fills a page: texts and tallies always, pieces by rank as far as they fit.
 *
 * @param limit UTF-8 bytes; texts and tallies alone must take less
 * @returns the items in their order, a blank line between each two
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

/** What an item takes whatever else there is. */
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

/** A block whose piece does not fit takes no lesser one of that rank. */
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

/** Fills a text up to a number of UTF-8 bytes, one piece at a time. */
export interface Budget {
  /** Takes the piece if it fits into what is left. */
  take(piece: string): boolean;
  /** A part of what is left, to be spent on its own; what it takes is taken here too. */
  share(bytes: number): Budget;
}

export function createBudget(bytes: number): Budget {
  let left = bytes;

  function take(piece: string): boolean {
    const size = Buffer.byteLength(piece);
    if (size > left) return false;
    left -= size;
    return true;
  }

  function share(part: number): Budget {
    const inner = createBudget(Math.min(part, left));
    return { take: (piece) => inner.take(piece) && take(piece), share: inner.share };
  }

  return { take, share };
}

/** The first pieces that fit, in their order, and how many were left. */
export function takeAll(budget: Budget, pieces: string[]): string[] {
  const cut = pieces.findIndex((piece) => !budget.take(piece));
  return cut === -1 ? pieces : pieces.slice(0, cut);
}

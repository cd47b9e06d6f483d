/** Page tokens that AWS issues: they belong to one listing and can expire. */
export interface Pages {
  /** @returns undefined if the token is not valid for this listing */
  cut<T>(
    listing: string,
    items: readonly T[],
    token: string | undefined,
  ): { items: T[]; next: string | undefined } | undefined;
  /** Makes all issued tokens invalid. */
  expire(): void;
}

export function createPages(size: () => number): Pages {
  const starts = new Map<string, number>();
  let issued = 0;

  return {
    cut(listing, items, token) {
      const start = token === undefined ? 0 : starts.get(`${listing}#${token}`);
      if (start === undefined) return undefined;
      const end = start + size();
      if (end >= items.length) return { items: items.slice(start), next: undefined };
      issued += 1;
      const next = `token-${issued}`;
      starts.set(`${listing}#${next}`, end);
      return { items: items.slice(start, end), next };
    },
    expire: () => starts.clear(),
  };
}

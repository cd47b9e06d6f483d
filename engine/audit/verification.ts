import type { ChainAnchor } from './dump.ts';
import type { StoredAuditRow } from './row.ts';
import { type ChainBreak, type ChainWalk, type ChainWalkResult, createChainWalk } from './walk.ts';

/**
 * Problem of a chain:
 * - `anchor_hash_mismatch`: the row differs from the anchored one; the chain was rewritten
 * - `chain_head_below_anchor`: anchored rows are missing
 */
export type ChainFinding = ChainBreak | 'anchor_hash_mismatch' | 'chain_head_below_anchor';

export interface ChainReport extends Omit<ChainWalkResult, 'reason'> {
  /** Null for the platform's chain. */
  org_id: string | null;
  /** The first problem, in the order of `seq`. */
  reason: ChainFinding | null;
  /** Highest `seq` confirmed by an anchor; 0 without one, in which case a removed tail cannot be detected. */
  anchored_seq: number;
}

export interface ChainsVerification {
  /** Adds the next row. Rows of one chain must be in the order of `seq`; chains may be interleaved. */
  add(row: StoredAuditRow): void;
  /** One report per chain, in the order of first appearance, followed by chains that only anchors contain. */
  result(): ChainReport[];
}

interface Chain {
  org_id: string | null;
  walk: ChainWalk;
  /** Sorted by `head_seq`, ascending. */
  anchors: ChainAnchor[];
  /** Number of anchors that match the chain. */
  matched_count: number;
  rewritten: boolean;
}

/**
 * Verifies several chains at once, including their anchors. Keeps only the head of each chain and the anchors in
 * memory.
 */
export function createChainsVerification(anchors: ChainAnchor[]): ChainsVerification {
  const anchored = anchorsByChain(anchors);
  const chains = new Map<string | null, Chain>();

  function openChain(org_id: string | null): Chain {
    const known = chains.get(org_id);
    if (known !== undefined) return known;
    const chain = {
      org_id,
      walk: createChainWalk(),
      anchors: anchored.get(org_id) ?? [],
      matched_count: 0,
      rewritten: false,
    };
    chains.set(org_id, chain);
    return chain;
  }

  return {
    add: (row) => addRow(openChain(row.org_id), row),
    result() {
      for (const org_id of anchored.keys()) openChain(org_id);
      return [...chains.values()].map(report);
    },
  };
}

function anchorsByChain(anchors: ChainAnchor[]): Map<string | null, ChainAnchor[]> {
  const chains = new Map<string | null, ChainAnchor[]>();
  for (const anchor of anchors) {
    // A head of 0 means that there was no row yet; every chain matches.
    if (anchor.head_seq < 1) continue;
    const others = chains.get(anchor.org_id);
    if (others === undefined) chains.set(anchor.org_id, [anchor]);
    else others.push(anchor);
  }
  for (const list of chains.values()) list.sort((a, b) => a.head_seq - b.head_seq);
  return chains;
}

function addRow(chain: Chain, row: StoredAuditRow): void {
  if (chain.rewritten) return;
  chain.walk.add(row);
  if (chain.walk.broken) return;
  for (let anchor = nextAnchor(chain); anchor?.head_seq === row.seq; anchor = nextAnchor(chain)) {
    chain.rewritten = anchor.head_hash !== '' && anchor.head_hash !== row.hash;
    if (chain.rewritten) return;
    chain.matched_count += 1;
  }
}

function nextAnchor(chain: Chain): ChainAnchor | undefined {
  return chain.anchors[chain.matched_count];
}

function report(chain: Chain): ChainReport {
  const walked = chain.walk.result();
  const anchored_seq = chain.anchors[chain.matched_count - 1]?.head_seq ?? 0;
  const found = { org_id: chain.org_id, ...walked, anchored_seq };
  if (walked.status === 'broken') return found;
  if (chain.rewritten) {
    return { ...found, status: 'broken', broken_at_seq: walked.head_seq, reason: 'anchor_hash_mismatch' };
  }
  if (nextAnchor(chain) === undefined) return found;
  return { ...found, status: 'broken', broken_at_seq: walked.head_seq + 1, reason: 'chain_head_below_anchor' };
}

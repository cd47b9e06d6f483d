import type { ChainAnchor } from './dump.ts';
import type { StoredAuditRow } from './row.ts';
import { type ChainBreak, type ChainWalk, type ChainWalkResult, createChainWalk } from './walk.ts';

/**
 * What is wrong with a chain:
 * - `anchor_hash_mismatch`: the row is not the one that the anchor saw; the chain was rewritten
 * - `chain_head_below_anchor`: rows that the anchor saw are gone
 */
export type ChainFinding = ChainBreak | 'anchor_hash_mismatch' | 'chain_head_below_anchor';

export interface ChainReport extends Omit<ChainWalkResult, 'reason'> {
  /** Null for the platform's chain. */
  org_id: string | null;
  /** The first thing wrong, in the order of `seq`. */
  reason: ChainFinding | null;
  /** The greatest anchored `seq` that the chain agrees with; 0 when there is none, so that a cut tail is not seen. */
  anchored_seq: number;
}

export interface ChainsVerification {
  /** Takes the next row; those of one chain come in the order of `seq`, chains may take turns. */
  add(row: StoredAuditRow): void;
  /** One report per chain, in the order of first appearance; then those that only anchors know. */
  result(): ChainReport[];
}

interface Chain {
  org_id: string | null;
  walk: ChainWalk;
  /** By `head_seq`, least first. */
  anchors: ChainAnchor[];
  /** How many anchors the chain agrees with. */
  matched_count: number;
  rewritten: boolean;
}

/**
 * Checks several chains at once, and each against what was noted of it earlier. It keeps the head of each chain and the
 * anchors, never a row.
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
    // A head of 0 says that there was no row yet: any chain agrees.
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

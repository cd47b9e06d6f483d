import type { OwnerKind } from '../../../engine/index.ts';

/** Only `confirmed` owners count in verdicts. */
export type OwnerStatus = 'suggested' | 'confirmed' | 'dismissed';

export interface KnownOwner {
  id: string;
  /** In canonical form, unique within the organization. */
  owner: string;
  kind: OwnerKind;
  status: OwnerStatus;
  source: 'learned' | 'added';
  note: string | null;
  /** null, like `last_seen_at`, while no plan has named it. */
  first_seen_at: Date | null;
  last_seen_at: Date | null;
  plans_seen: number;
  /** Email of the person who added, confirmed or dismissed it last; null for a suggestion. */
  decided_by: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface OwnerFilter {
  status?: OwnerStatus | undefined;
  kind?: OwnerKind | undefined;
}

export interface OwnerInput {
  /** As people write it. */
  owner: string;
  note?: string | null | undefined;
}

/** Omitted fields do not change. */
export interface OwnerUpdate {
  status?: Exclude<OwnerStatus, 'suggested'> | undefined;
  note?: string | null | undefined;
}

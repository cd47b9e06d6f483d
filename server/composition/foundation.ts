import type { BlobStore } from '../adapters/blob/types.ts';
import type { GuardedFetch } from '../adapters/egress/index.ts';
import type { PlanPool } from '../adapters/plan-pool/index.ts';
import type { Declarations } from '../contract/domain-parts.ts';
import type { ColumnSealer, OrgDatabase } from '../db/index.ts';
import type { AuthzBus } from '../lib/authz-bus.ts';
import type { Sealer } from '../lib/seal.ts';
import type { StateSigner } from '../lib/state-signer.ts';
import type { BaseUrls } from '../lib/web-links.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** What every domain may have. A database across organizations is not part of it. */
export interface Foundation {
  /** Works inside one organization. */
  db: OrgDatabase;
  blobs: BlobStore;
  /** Encrypts what is stored in columns. */
  columns: ColumnSealer;
  /** Encrypts what is stored as blobs. */
  sealer: Sealer;
  states: StateSigner;
  authz: AuthzBus;
  pool: PlanPool;
  /** Refuses an address that leads elsewhere than to a public https server. @throws InvalidInput `url_not_allowed` */
  assertPublicUrl: (url: string, field: string) => void;
  /** `fetch` for addresses that customers name. */
  guardedFetch: GuardedFetch;
  /** Where links lead that people follow. */
  base_urls: BaseUrls;
  declared: Declarations;
  log: Logger;
  metrics: Metrics;
  now: () => Date;
}

import type { BlobStore, FileStore } from '../adapters/blob/types.ts';
import type { GuardedFetch } from '../adapters/egress/index.ts';
import type { PlanPool } from '../adapters/plan-pool/index.ts';
import type { Declarations } from '../contract/domain-parts.ts';
import type { ServiceDeps } from '../contract/service-deps.ts';
import type { ColumnSealer, OrgDatabase, OrgSnapshots } from '../db/index.ts';
import type { Sealer } from '../lib/seal.ts';
import type { StateSigner } from '../lib/state-signer.ts';
import type { BaseUrls } from '../lib/web-links.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** The dependencies that every domain can have. A database across organizations is not one of them. */
export interface Foundation extends Pick<ServiceDeps, 'authz' | 'now'> {
  db: OrgDatabase & OrgSnapshots;
  blobs: BlobStore & FileStore;
  /** Encrypts column values. */
  columns: ColumnSealer;
  /** Encrypts blobs. */
  sealer: Sealer;
  states: StateSigner;
  pool: PlanPool;
  /** Rejects a URL that is not a public https server. @throws InvalidInput `url_not_allowed` */
  assertPublicUrl: (url: string, field: string) => void;
  /** `fetch` for URLs that customers entered. */
  guardedFetch: GuardedFetch;
  /** Base address of links for people. */
  base_urls: BaseUrls;
  declared: Declarations;
  log: Logger;
  metrics: Metrics;
}

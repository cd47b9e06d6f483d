import type { ColumnSealer, Db, OrgDatabase } from '../db/index.ts';
import type { AuthzBus } from '../lib/authz-bus.ts';
import type { Logger } from '../log.ts';

/**
 * What services have in common; each takes the part that it uses. The composition decides which domains get a database
 * across organizations.
 */
export interface ServiceDeps {
  /** Works inside one organization. */
  db: OrgDatabase;
  /** Works across organizations. */
  platform_db: Db;
  /** Works across organizations, with the role that can delete expired rows. */
  sweep_db: Db;
  /** Encrypts column values. */
  sealer: ColumnSealer;
  authz: AuthzBus;
  log: Pick<Logger, 'warn'>;
  now: () => Date;
}

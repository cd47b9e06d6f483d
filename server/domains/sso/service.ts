import type { ServiceDeps } from '../../contract/service-deps.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Orgs } from '../orgs/index.ts';

const FEATURE = 'sso';
const DAY_S = 86_400;

export interface SsoDeps extends Pick<ServiceDeps, 'db'> {
  orgs: Pick<Orgs, 'assertFeature'>;
}

/** Single sign-on of an organization. It cannot be set up yet; operators connect an identity provider per deployment. */
export function createSso({ db, orgs }: SsoDeps) {
  /** @throws PaymentRequired `plan_feature_required` */
  async function get(org_id: string): Promise<{ enabled: false; configured: false }> {
    await db.inOrg(org_id, (trx) => orgs.assertFeature(trx, org_id, FEATURE));
    return { enabled: false, configured: false };
  }

  /** @throws PaymentRequired `plan_feature_required`, or else ServiceError 503 `sso_unavailable` */
  async function configure(org_id: string): Promise<never> {
    await db.inOrg(org_id, (trx) => orgs.assertFeature(trx, org_id, FEATURE));
    const message = 'single sign-on cannot be set up by an organization yet';
    throw new ServiceError(503, 'sso_unavailable', message, { retry_after: DAY_S });
  }

  return { get, configure };
}

export type Sso = ReturnType<typeof createSso>;

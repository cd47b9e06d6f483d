import type { Request, Response } from 'express';
import type { OrgContext, Principal } from '../../lib/principal.ts';
import type { Operation } from '../contract/operations.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Authenticate, FindOrg } from '../ports.ts';
import { assertAllowed, assertCaller, resolveOrg } from './access.ts';

/** The part of a request that identifies the sender. */
export type Sender = Pick<Request, 'ip' | 'headers' | 'headersDistinct'>;

export interface AdmissionDeps {
  authenticate: Authenticate;
  findOrg: FindOrg;
  limits: RateLimits;
}

/** Authentication and access: the same checks and limits for the API and for pages. */
export function createAdmission({ authenticate, findOrg, limits }: AdmissionDeps) {
  /** @throws Unauthenticated, Forbidden, InvalidInput, TooManyRequests or Unavailable */
  async function identify(sender: Sender, res: Response): Promise<Principal> {
    const principal = await limits.countFailures(sender, authenticate);
    await limits.spend(res, 'credential', principal.credential_id);
    return principal;
  }

  /**
   * Checks access to the organization of the path; undefined if the path has none.
   *
   * @throws Forbidden, NotFound, TooManyRequests
   */
  async function enter(
    operation: Operation,
    params: Record<string, string>,
    principal: Principal,
    res: Response,
  ): Promise<OrgContext | undefined> {
    assertCaller(operation.access, principal);
    const org = await resolveOrg(operation, params, principal, findOrg);
    if (org !== undefined) await limits.spend(res, 'org', org.id);
    assertAllowed(operation, params, principal, org);
    return org;
  }

  return { identify, enter };
}

export type Admission = ReturnType<typeof createAdmission>;

import type { ServiceDeps } from '../../contract/service-deps.ts';
import { PaymentRequired } from '../../lib/errors.ts';
import { type Principal, ROLES, type Role } from '../../lib/principal.ts';
import type { Orgs } from '../orgs/index.ts';
import * as store from './store.ts';
import type { OpenedWorkspace } from './types.ts';

export interface PeopleDeps extends Pick<ServiceDeps, 'db' | 'platform_db'> {
  orgs: Pick<Orgs, 'findRole' | 'assertFeature'>;
  /** Whether a person can use the service. */
  maySignIn: (login: { email: string; issuer: string }) => Promise<boolean>;
}

/** A member of the organization, or what they lack. */
export type Recognized = { principal: Principal; missing: null } | { principal: null; missing: string };

/** People in Slack as members of the organization. */
export function createPeople({ db, platform_db, orgs, maySignIn }: PeopleDeps) {
  /**
   * Finds the member with the confirmed email of a person of the workspace. The email of anybody else is what another
   * workspace claims, and is not used.
   *
   * @param least the lowest role that is needed
   * @throws ChatError
   */
  async function recognize(
    org_id: string,
    { installation, workspace }: OpenedWorkspace,
    user_id: string,
    least: Role,
  ): Promise<Recognized> {
    const person = await workspace.findPerson(user_id);
    const is_same_grid = installation.enterprise_id !== null && installation.enterprise_id === person.enterprise_id;
    if (!person.is_active || !(person.team_id === installation.team_id || is_same_grid)) {
      return lacks('Only people of the connected workspace can do this.');
    }
    const { email } = person;
    if (email === null) return lacks('Slack shows no confirmed email address for you, so you cannot be recognized.');
    const found = await db.inOrg(org_id, async (trx) => {
      const user = await store.findUserByEmail(trx, org_id, email);
      return user && { user, role: await orgs.findRole(trx, org_id, user.id) };
    });
    if (found?.role === undefined || !(await mayUse(found.user))) {
      return lacks(`No member of the organization has your email address, ${email}. Ask an owner for an invitation.`);
    }
    const { user, role } = found;
    if (ROLES.indexOf(role) < ROLES.indexOf(least)) {
      return lacks(`This needs the role ${least}; you have the role ${role}. Ask an owner to change it.`);
    }
    const barred = await findMissingFeature(org_id);
    return barred === null ? { principal: toPrincipal(user), missing: null } : lacks(barred);
  }

  /** Why the plan of the organization no longer includes chat; null if it does. */
  async function findMissingFeature(org_id: string): Promise<string | null> {
    try {
      await db.inOrg(org_id, (trx) => orgs.assertFeature(trx, org_id, 'chat'));
      return null;
    } catch (error) {
      if (error instanceof PaymentRequired) return error.message;
      throw error;
    }
  }

  async function mayUse({ id, email }: { id: string; email: string }): Promise<boolean> {
    return maySignIn({ email, issuer: await store.findIssuer(platform_db, id) });
  }

  return { recognize };
}

export type People = ReturnType<typeof createPeople>;

function lacks(missing: string): Recognized {
  return { principal: null, missing };
}

/** They act as they would with their own sign-in, but never as a platform admin. */
function toPrincipal(user: { id: string; email: string; display_name: string }): Principal {
  return { user: { ...user, is_platform_admin: false }, credential: 'oidc', credential_id: user.id, key: null };
}

/** As messages show a member. */
export function findName({ user }: Principal): string {
  return user.display_name.trim() === '' ? user.email : user.display_name;
}

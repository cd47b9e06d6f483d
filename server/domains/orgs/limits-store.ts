import type { Db } from '../../db/index.ts';
import * as invitations from './invitations-store.ts';
import * as members from './members-store.ts';

/** Members and open invitations use a seat each; an expired invitation does not. */
export async function countSeats(db: Db, orgId: string, now: Date): Promise<number> {
  return (await members.countLiveMembers(db, orgId, now)) + (await invitations.countPending(db, orgId, now));
}

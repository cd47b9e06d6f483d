import type { PostedLinks } from '../../adapters/slack/types.ts';
import type { ServiceDeps } from '../../contract/service-deps.ts';
import type { Db } from '../../db/index.ts';
import type { SlackEventOf } from '../../lib/slack-request.ts';
import type { BaseUrls } from '../../lib/web-links.ts';
import type { Orgs } from '../orgs/index.ts';
import { type Card, renderDriftCard, renderPackCard, renderRunCard } from './card-blocks.ts';
import * as cards from './cards-store.ts';
import { type LinkedThing, recognizeLink } from './links.ts';
import type { People } from './people-service.ts';
import type { Caller } from './types.ts';

/** More links in one message get no card. */
const MOST_CARDS = 5;

export interface UnfurlsDeps extends Pick<ServiceDeps, 'db'> {
  orgs: Pick<Orgs, 'get'>;
  people: People;
  base_urls: BaseUrls;
}

type Posted = SlackEventOf<'link_shared'>;

/** Cards below links of the service. */
export function createUnfurls({ db, orgs, people, base_urls }: UnfurlsDeps) {
  /**
   * Shows what links lead to, if whoever posted them is a member who may see it. In a channel that is shared with another
   * company nothing is shown.
   *
   * @throws ChatError
   */
  async function unfurl({ event, is_ext_shared_channel }: Posted, { org_id, opened }: Caller): Promise<void> {
    const place = findPlace(event);
    if (is_ext_shared_channel || place === undefined) return;
    const { slug } = await orgs.get(org_id);
    const things = recognizeAll(event, slug);
    if (things.length === 0) return;
    const { missing } = await people.recognize(org_id, opened, event.user, 'viewer');
    if (missing !== null) return;
    const found = await db.inOrg(org_id, async (trx) => {
      const shown: [string, Card][] = [];
      for (const { url, thing } of things) {
        const card = await findCard(trx, org_id, thing);
        if (card !== undefined) shown.push([url, card]);
      }
      return shown;
    });
    if (found.length > 0) await opened.workspace.unfurl(place, Object.fromEntries(found));
  }

  function recognizeAll({ links }: Posted['event'], slug: string): { url: string; thing: LinkedThing }[] {
    const known = [...new Set(links.map(({ url }) => url))].flatMap((url) => {
      const thing = recognizeLink(url, slug, base_urls);
      return thing === undefined ? [] : [{ url, thing }];
    });
    return known.slice(0, MOST_CARDS);
  }

  return { unfurl };
}

export type Unfurls = ReturnType<typeof createUnfurls>;

async function findCard(trx: Db, org_id: string, { kind, id }: LinkedThing): Promise<Card | undefined> {
  if (kind === 'pack') {
    const pack = await cards.findPack(trx, org_id, id);
    return pack && renderPackCard(pack);
  }
  const drift = await cards.findDrift(trx, org_id, kind === 'drift' ? { id } : { scan_run_id: id });
  if (drift !== undefined || kind === 'drift') return drift && renderDriftCard(drift);
  const run = await cards.findRun(trx, org_id, id);
  return run && renderRunCard(run);
}

function findPlace({ channel, message_ts, unfurl_id, source }: Posted['event']): PostedLinks | undefined {
  if (unfurl_id !== undefined && source !== undefined) return { unfurl_id, source };
  return message_ts === undefined ? undefined : { channel, ts: message_ts };
}

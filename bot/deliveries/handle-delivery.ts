import { type BotEvent, PlatformError } from '../../server/adapters/scm/types.ts';
import type { PullRequestSource } from '../../server/domains/pull-requests/index.ts';
import type { Logger } from '../../server/log.ts';
import type { Connect, ConnectedSource, Deliveries, Delivery, OnForbidden } from '../ports.ts';

export interface DeliveryHandlerDeps {
  deliveries: Deliveries;
  connect: Connect;
  /** Does what an event asks for. @returns whether there was anything to do */
  handleEvent(connected: ConnectedSource, event: BotEvent): Promise<boolean>;
  onForbidden: OnForbidden;
  log: Logger;
}

/** What becomes of a delivery: it is understood, acted on, and settled once. */
export function createDeliveryHandler({ deliveries, connect, handleEvent, onForbidden, log }: DeliveryHandlerDeps) {
  /**
   * Works off one delivery. Safe to run twice: one that is settled is left alone, and what it leads to is written once.
   *
   * @throws what a later attempt may get over; everything else settles the delivery as failed
   */
  async function run({ org_id, id }: { org_id: string; id: string }): Promise<void> {
    const delivery = await deliveries.open(org_id, id);
    if (delivery === undefined) return;
    const connected = await connect(org_id, delivery);
    if ('missing' in connected) {
      return deliveries.settle(org_id, id, { status: 'failed', error: connected.missing });
    }
    try {
      const handled = await handleEvents(connected, delivery);
      await deliveries.settle(org_id, id, { status: handled ? 'accepted' : 'ignored' });
    } catch (error) {
      if (!isFinal(error)) throw error;
      log.warn(
        { org_id, delivery_id: id, error_class: error.error_class },
        'a host has refused what a delivery asks for',
      );
      if (error.error_class === 'forbidden') await onForbidden(connected.source);
      await deliveries.settle(org_id, id, { status: 'failed', error: error.message });
    }
  }

  async function handleEvents(connected: ConnectedSource, delivery: Delivery & PullRequestSource): Promise<boolean> {
    const events = await connected.events(delivery);
    let handled = false;
    for (const event of events) {
      if (isFromSource(connected, event)) handled = (await handleEvent(connected, event)) || handled;
    }
    return handled;
  }

  return { run };
}

/** A secret of one repository opens no other: its deliveries speak for that repository alone. */
function isFromSource({ source }: ConnectedSource, event: BotEvent): boolean {
  const repo = 'pr' in event ? event.pr.repo : event.repo;
  return source.kind === 'installation' || repo.toLowerCase() === source.repo_path.toLowerCase();
}

function isFinal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && !['unavailable', 'rate_limited'].includes(error.error_class);
}

import type { PullRequestSource } from '../../server/domains/pull-requests/index.ts';
import type { Logger } from '../../server/log.ts';
import type { Connect, ConnectedSource, Deliveries, Delivery, OnForbidden } from '../ports.ts';
import { type BotEvent, PlatformError } from '../types.ts';

export interface DeliveryWorkDeps {
  deliveries: Deliveries;
  connect: Connect;
  /** Does what an event asks for. @returns whether there was anything to do */
  act(connected: ConnectedSource, event: BotEvent): Promise<boolean>;
  onForbidden: OnForbidden;
  log: Logger;
}

/** What becomes of a delivery: it is understood, acted on, and settled once. */
export function createDeliveryWork({ deliveries, connect, act, onForbidden, log }: DeliveryWorkDeps) {
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
      const acted = await actOnAll(connected, delivery);
      await deliveries.settle(org_id, id, { status: acted ? 'accepted' : 'ignored' });
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

  async function actOnAll(connected: ConnectedSource, delivery: Delivery & PullRequestSource): Promise<boolean> {
    const events = await connected.events(delivery);
    let acted = false;
    for (const event of events) {
      if (isOf(connected, event)) acted = (await act(connected, event)) || acted;
    }
    return acted;
  }

  return { run };
}

/** A secret of one repository opens no other: its deliveries speak for that repository alone. */
function isOf({ source }: ConnectedSource, event: BotEvent): boolean {
  const repo = 'pr' in event ? event.pr.repo : event.repo;
  return source.kind === 'installation' || repo.toLowerCase() === source.repo_path.toLowerCase();
}

function isFinal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && !['unavailable', 'rate_limited'].includes(error.error_class);
}

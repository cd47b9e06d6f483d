import { type BotEvent, PlatformError } from '../../server/adapters/scm/types.ts';
import type { PullRequestSource } from '../../server/domains/pull-requests/index.ts';
import type { Logger } from '../../server/log.ts';
import type { Connect, ConnectedSource, Deliveries, Delivery, OnForbidden } from '../ports.ts';

export interface DeliveryHandlerDeps {
  deliveries: Deliveries;
  connect: Connect;
  /** Handles an event. @returns whether there was anything to do */
  handleEvent(connected: ConnectedSource, event: BotEvent): Promise<boolean>;
  onForbidden: OnForbidden;
  log: Logger;
}

/** Handles deliveries: parses, processes and settles each one once. */
export function createDeliveryHandler({ deliveries, connect, handleEvent, onForbidden, log }: DeliveryHandlerDeps) {
  /**
   * Handles one delivery. Safe to run twice: a settled delivery is skipped, and its effects are written once.
   *
   * @throws errors that a retry can resolve; all others settle the delivery as failed
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
        'the Git host rejected a request for a delivery',
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

/** The webhook secret of one repository must not give access to another: its events count only for that repository. */
function isFromSource({ source }: ConnectedSource, event: BotEvent): boolean {
  const repo = 'pr' in event ? event.pr.repo : event.repo;
  return source.kind === 'installation' || repo.toLowerCase() === source.repo_path.toLowerCase();
}

function isFinal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && !['unavailable', 'rate_limited'].includes(error.error_class);
}

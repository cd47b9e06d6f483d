import { type BotEvent, PlatformError } from '../../server/adapters/scm/types.ts';
import type { PullRequestSource } from '../../server/domains/pull-requests/index.ts';
import type { Logger } from '../../server/log.ts';
import type { ConnectedSource, Deliveries, Delivery, DeliveryOutcome } from '../ports.ts';
import type { WorkOnSource } from '../sources.ts';

export interface DeliveryHandlerDeps {
  deliveries: Deliveries;
  workOnSource: WorkOnSource;
  /** Handles an event. @returns whether there was anything to do */
  handleEvent(connected: ConnectedSource, event: BotEvent): Promise<boolean>;
  log: Logger;
}

type OpenedDelivery = Delivery & PullRequestSource;

/** Handles deliveries: parses, processes and settles each one once. */
export function createDeliveryHandler({ deliveries, workOnSource, handleEvent, log }: DeliveryHandlerDeps) {
  /**
   * Handles one delivery. Safe to run twice: a settled delivery is skipped, and its effects are written once.
   *
   * @throws errors that a retry can resolve; all others settle the delivery as failed
   */
  async function run({ org_id, id }: { org_id: string; id: string }): Promise<void> {
    const delivery = await deliveries.open(org_id, id);
    if (delivery === undefined) return;
    await deliveries.settle(org_id, id, await handle(org_id, delivery));
  }

  async function handle(org_id: string, delivery: OpenedDelivery): Promise<DeliveryOutcome> {
    try {
      const done = await workOnSource(org_id, delivery, (connected) => handleEvents(connected, delivery));
      if ('missing' in done) return { status: 'failed', error: done.missing };
      return { status: done.result ? 'accepted' : 'ignored' };
    } catch (error) {
      if (!isFinal(error)) throw error;
      log.warn(
        { org_id, delivery_id: delivery.id, error_class: error.error_class },
        'the Git host rejected a request for a delivery',
      );
      return { status: 'failed', error: error.message };
    }
  }

  async function handleEvents(connected: ConnectedSource, delivery: Delivery): Promise<boolean> {
    let handled = false;
    for (const event of await connected.events(delivery)) {
      if (isFromSource(connected, event)) handled = (await handleEvent(connected, event)) || handled;
    }
    return handled;
  }

  return { run };
}

/** The webhook secret of one repository must not give access to another: its events count only for that repository. */
function isFromSource({ repo_path }: ConnectedSource, event: BotEvent): boolean {
  const repo = 'pr' in event ? event.pr.repo : event.repo;
  return repo_path === null || repo.toLowerCase() === repo_path.toLowerCase();
}

function isFinal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && !['unavailable', 'rate_limited'].includes(error.error_class);
}

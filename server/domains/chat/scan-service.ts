import { ServiceError } from '../../lib/errors.ts';
import type { Principal } from '../../lib/principal.ts';
import type { AuditWriter } from '../audit/index.ts';
import type { Handling } from '../notifications/index.ts';
import { findName } from './people-service.ts';
import type { SlackPlace } from './types.ts';

export interface ScanningDeps {
  audit: Pick<AuditWriter, 'record'>;
  drift: Pick<Handling, 'show'>;
  /** Starts a scan, unless one of the account waits or runs; null then. */
  createScan: (principal: Principal, org_id: string, cloud_account_id: string) => Promise<{ id: string } | null>;
}

interface ScannedAccount {
  cloud_account_id: string;
  display_name: string;
}

/** Scans that people start from Slack. */
export function createScanning({ audit, drift, createScan }: ScanningDeps) {
  /** Starts a scan once, and shows in the messages about the account who did it. @returns what to tell the person */
  async function scan(
    principal: Principal,
    org_id: string,
    { cloud_account_id, display_name }: ScannedAccount,
    place: SlackPlace,
  ): Promise<string> {
    const run = await start(principal, org_id, cloud_account_id);
    if (typeof run === 'string') return `No scan of ${display_name} was started: ${run}.`;
    if (run === null) return `A scan of ${display_name} is waiting or running already.`;
    const detail = { ...place, scan_run_id: run.id, cloud_account_id };
    await audit.record({ action: 'chat.scan_started', org_id, actor_email: principal.user.email, detail });
    const entry = { action: 'scanned' as const, by: findName(principal), until: null, what: display_name };
    await drift.show(org_id, [cloud_account_id], entry);
    return `A scan of ${display_name} has started. Differences are reported where notifications go.`;
  }

  /** @returns the scan; null if there is one; a text if there can be none */
  async function start(principal: Principal, org_id: string, cloud_account_id: string) {
    try {
      return await createScan(principal, org_id, cloud_account_id);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
      return error.message;
    }
  }

  return { scan };
}

export type Scanning = ReturnType<typeof createScanning>;

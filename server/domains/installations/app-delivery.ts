import { InvalidInput } from '../../lib/errors.ts';
import { type HostedInstallation, readInstallation } from '../../lib/github-installation.ts';

/** Events that tell of the installation itself. */
const ABOUT_INSTALLATIONS: ReadonlySet<string> = new Set(['installation', 'installation_repositories']);

/** As much of a delivery of the App as is read before it is kept. */
export interface AppDelivery {
  action: string;
  /** null: it belongs to none, such as a ping. */
  installation_id: number | null;
  /** The installation in full, where the delivery tells of it. */
  installation: HostedInstallation | undefined;
}

/** @throws InvalidInput when it is no JSON object */
export function readAppDelivery(raw: Buffer, event: string): AppDelivery {
  const body = toObject(parseJson(raw));
  if (body === undefined) throw new InvalidInput('the delivery is not a JSON object; set its content type to JSON');
  const { action, installation } = body;
  const id = toObject(installation)?.['id'];
  return {
    action: typeof action === 'string' ? action : '',
    installation_id: typeof id === 'number' && Number.isSafeInteger(id) ? id : null,
    installation: ABOUT_INSTALLATIONS.has(event) ? readInstallation(installation) : undefined,
  };
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString());
  } catch {
    return undefined;
  }
}

function toObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

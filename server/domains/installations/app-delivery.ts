import { InvalidInput } from '../../lib/errors.ts';
import { type HostedInstallation, readInstallation } from '../../lib/github-installation.ts';
import { isObject } from '../../lib/is-object.ts';

/** Events about the installation itself. */
const ABOUT_INSTALLATIONS: ReadonlySet<string> = new Set(['installation', 'installation_repositories']);

/** The parts of an App delivery that are read before it is stored. */
export interface AppDelivery {
  action: string;
  /** null: it belongs to no installation, such as a ping. */
  installation_id: number | null;
  /** The whole installation, if the delivery contains it. */
  installation: HostedInstallation | undefined;
}

/** @throws InvalidInput if it is not a JSON object */
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
  return isObject(value) ? value : undefined;
}

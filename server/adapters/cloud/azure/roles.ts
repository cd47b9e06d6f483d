import type { ActionSet } from './actions.ts';
import { CALLS } from './calls.ts';

/** The built-in role of Azure with these actions. It reads no data, such as blobs and secrets. */
export const READER: ActionSet & { name: string } = { name: 'Reader', actions: ['*/read'], not_actions: [] };

/** What a customer has to grant. Generated from the calls of the scanner. */
export interface AzureRoles {
  /** Built-in role on the subscription. */
  role: string;
  /** The actions that the scanner needs. */
  actions: readonly string[];
}

export function describeAzureRoles(): AzureRoles {
  return { role: READER.name, actions: Object.values(CALLS).flatMap(({ permissions }) => [...permissions]) };
}

import type { Resource } from '../build.ts';

export type Values = Record<string, unknown>;
/** How the state of a provider holds a resource. */
export type Describe = (resource: Resource, properties: Values, scope: Scope) => [type: string, attributes: Values];

export interface Scope {
  account: string;
}

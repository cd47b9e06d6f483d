/**
 * A channel of chat as it is stored: `#name` becomes an ID if the organization has a workspace; all else stays as it is.
 *
 * @param field named in errors
 * @throws InvalidInput `channel_not_found`, `not_in_channel`; Unavailable if the workspace does not answer
 */
export type ResolveChannel = <Given extends string | null | undefined>(
  org_id: string,
  channel: Given,
  field: string,
) => Promise<Given | string>;

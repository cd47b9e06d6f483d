/** The one way to ask an address that a customer named. Hosts that the operator vouches for may be private, and of http. */
export interface Egress {
  /**
   * For the moment an address is saved: refuses what can be seen to lead elsewhere than to a public https server.
   * Where its name leads is checked at every request.
   *
   * @param field names the address in the message, such as `issuer`
   * @throws InvalidInput `url_not_allowed`
   */
  assertPublicUrl(url: string, field: string): void;
  /**
   * The JSON document at a public https address. Dials the very address that was checked, follows no redirect, reads no
   * more than a megabyte and waits no longer than five seconds.
   *
   * @throws EgressError
   */
  getJson(url: string): Promise<unknown>;
}

/**
 * `fetch` for addresses that a customer named, with the same guard: the address is judged and its name resolved anew at
 * each call, and the very address that was checked is dialled. Follows no redirect; the body is the caller's to limit.
 *
 * @throws EgressError
 */
export type GuardedFetch = (url: string, init: GuardedRequest) => Promise<Response>;

export interface GuardedRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** Also ends the reading of the body. */
  signal: AbortSignal;
}

/**
 * Why a document did not come. `refused`: the address is not one to be asked; `unreachable`: nobody answered in time;
 * `unusable`: what answered gave no such document. What the other side wrote is never part of the message.
 */
export class EgressError extends Error {
  readonly reason: 'refused' | 'unreachable' | 'unusable';

  constructor(reason: EgressError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EgressError';
    this.reason = reason;
  }
}

/** Every address of a name, as the system's resolver gives them. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

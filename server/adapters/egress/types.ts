/** The only way to call a URL that a customer entered. Hosts that the operator allows can be private and use http. */
export interface Egress {
  /**
   * Checks a URL before it is saved: rejects everything that is visibly not a public https server. The addresses of its
   * name are checked at every request.
   *
   * @param field name of the field in the message, such as `issuer`
   * @throws InvalidInput `url_not_allowed`
   */
  assertPublicUrl(url: string, field: string): void;
  /**
   * Fetches the JSON document at a public https URL. Dials exactly the address that was checked, follows no redirect,
   * reads at most one megabyte and waits at most five seconds.
   *
   * @throws EgressError
   */
  getJson(url: string): Promise<unknown>;
}

/**
 * `fetch` for URLs that customers entered, with the same guard: at each call the URL is checked, its name is resolved
 * again, and exactly the checked address is dialed. Follows no redirect. The caller limits the body.
 *
 * @throws EgressError
 */
export type GuardedFetch = (url: string, init: GuardedRequest) => Promise<Response>;

export interface GuardedRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** How long establishing the connection to one address can take, with TLS; unlimited unless given. */
  connect_timeout_ms?: number;
  /** For signed URLs of storage services; 2,000 unless given. */
  max_url_length?: number;
  /** Also aborts reading the body. */
  signal: AbortSignal;
}

/**
 * Why a document was not fetched. `refused`: the URL must not be called; `unreachable`: no response in time;
 * `unusable`: the response was not such a document. The message never contains text from the other side.
 */
export class EgressError extends Error {
  readonly reason: 'refused' | 'unreachable' | 'unusable';

  constructor(reason: EgressError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EgressError';
    this.reason = reason;
  }
}

/** All addresses of a name, as the system's resolver returns them. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A Git host that calls this service, and that the service can call with a token. */
export type ScmProvider = 'github' | 'gitlab';
/** `generic`: any server that the service calls, and that never calls it. */
export type WebhookProvider = ScmProvider | 'generic';

/** Result of a token's last validation. */
export type TokenStatus = 'active' | 'expired' | 'invalid' | 'insufficient_scope';

export type DeliveryStatus = 'accepted' | 'ignored' | 'delivered' | 'failed' | 'pending';

/**
 * A repository that calls this service, or a server that it calls, without secrets. @see openapi.yaml, WebhookConfig
 */
export interface WebhookConfig {
  id: string;
  provider: WebhookProvider;
  /** null for `generic`. */
  repo_path: string | null;
  /** Without a trailing slash; for `generic` the public part of the URL. */
  provider_base_url: string;
  label: string | null;
  enabled: boolean;
  secret_prefix: string;
  api_token_prefix: string | null;
  api_token_status: TokenStatus | null;
  api_token_expires_at: Date | null;
  last_delivery_at: Date | null;
  last_delivery_status: DeliveryStatus | null;
  created_at: Date;
  updated_at: Date;
}

/** A configuration with its new secret, which is shown only once. */
export interface ConfigWithSecret {
  config: WebhookConfig;
  raw_secret: string;
}

/** A token for the API of a Git host, as the caller sent it. */
export interface TokenInput {
  api_token: string;
  /** A time as text; the host may report another one. */
  api_token_expires_at?: string | null | undefined;
}

export interface WebhookConfigInput {
  provider: WebhookProvider;
  api_token?: string | undefined;
  api_token_expires_at?: string | null | undefined;
  repo_path?: string | undefined;
  provider_base_url?: string | undefined;
  label?: string | null | undefined;
  enabled?: boolean | undefined;
}

export interface WebhookConfigChanges {
  enabled?: boolean | undefined;
  label?: string | null | undefined;
}

/** The validated and normalized target of a configuration; for `generic` with the whole URL. */
export type Target = Pick<WebhookConfig, 'provider' | 'repo_path' | 'provider_base_url'>;

/** A target in the database. */
export interface StoredTarget extends Target {
  /** The encrypted URL of a generic webhook; null for a repository. */
  target_ct: Buffer | null;
}

/** An event for servers. */
export interface OutboundEvent {
  /** The same for each attempt. */
  id: string;
  type: string;
  created_at: Date;
  org: { id: string; slug: string };
  data: Readonly<Record<string, unknown>>;
}

/** A received or sent delivery. @see openapi.yaml, WebhookDelivery */
export interface Delivery {
  id: string;
  direction: 'in' | 'out';
  event: string;
  status: DeliveryStatus;
  http_status: number | null;
  attempts: number;
  next_attempt_at: Date | null;
  duration_ms: number | null;
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

export interface DeliveryFilter {
  config_id: string;
  direction?: 'in' | 'out' | undefined;
}

/** The sender of a delivery: a repository with a webhook configuration, or one of a GitHub App installation. */
export type DeliverySource =
  | { config_id: string; installation_row_id: null }
  | { config_id: null; installation_row_id: string };

/** The provider's facts about a delivery. */
export interface DeliveryHeaders {
  /** The same for repeated deliveries. */
  provider_delivery_id: string;
  event: string;
  /** Whether the event is processed. */
  is_handled: boolean;
}

export type Received = { accepted: true; delivery_id: string } | { accepted: false; reason: 'duplicate' | 'ignored' };

/** A delivery to process, with its original body. */
export type OpenedDelivery = DeliverySource & {
  id: string;
  provider_delivery_id: string;
  event: string;
  raw: Buffer;
};

/**
 * An arriving delivery, opened before its body is read. `end` verifies the sender of the body, and returns the function
 * that stores it. `end` throws ServiceError 401 `signature_invalid`.
 */
export interface IncomingDelivery {
  /** Deliveries of one key share the memory for bodies. */
  key?: string;
  /** Receives every chunk of the body as it arrives. */
  update(chunk: Uint8Array): void;
  end(raw: Buffer): AcceptDelivery;
}

/** Stores a delivery of a verified sender. */
export type AcceptDelivery = () => Promise<Received>;

/** Outcome of a delivery; `accepted`: it was processed. */
export interface Settlement {
  status: 'accepted' | 'ignored' | 'failed';
  error?: string | undefined;
}

/** What a bot needs to work for a repository. */
export interface ConfigAccess {
  id: string;
  provider: ScmProvider;
  provider_base_url: string;
  repo_path: string;
  /** The integration key for submitting plans; null after it was revoked. */
  dpa_token: string | null;
  /** Token for the repository's host; null = there is none. */
  api_token: string | null;
  api_token_status: TokenStatus | null;
  /** The user of the token at the host. */
  api_user_id: string | null;
}

/** A row to insert. */
export type ReceivedDelivery = DeliverySource & {
  id: string;
  provider_delivery_id: string;
  event: string;
  status: 'accepted' | 'ignored';
  /** The encrypted original body; null if the event is not processed. */
  payload_ct: Buffer | null;
  /** When its processing is queued again; null = it is done. */
  next_attempt_at: Date | null;
  begun_at: Date;
  created_at: Date;
  finished_at: Date | null;
};

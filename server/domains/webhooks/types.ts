/** A host of repositories that calls us, and that we may call with a token. */
export type ScmProvider = 'github' | 'gitlab';
/** `generic`: any server that we call, and that never calls us. */
export type WebhookProvider = ScmProvider | 'generic';

/** What a provider said of a token when it was last asked. */
export type TokenStatus = 'active' | 'expired' | 'invalid' | 'insufficient_scope';

export type DeliveryStatus = 'accepted' | 'ignored' | 'delivered' | 'failed' | 'pending';

/** A repository that calls us, or a server that we call, without its secrets. @see openapi.yaml, WebhookConfig */
export interface WebhookConfig {
  id: string;
  provider: WebhookProvider;
  /** null for `generic`. */
  repo_path: string | null;
  /** Without a slash at its end; for `generic` what may be shown of the address that is called. */
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

/** A configuration with its new secret, which is told this once. */
export interface ConfigWithSecret {
  config: WebhookConfig;
  raw_secret: string;
}

/** A token for the API of a repository's host, as it was given. */
export interface TokenInput {
  api_token: string;
  /** Text of a time; the host's own word counts too. */
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

/** Where a configuration points, checked and in its one form; for `generic` with the whole address. */
export type Target = Pick<WebhookConfig, 'provider' | 'repo_path' | 'provider_base_url'>;

/** A target in the database. */
export interface StoredTarget extends Target {
  /** The address of a generic webhook, sealed; null for a repository. */
  target_ct: Buffer | null;
}

/** Something that was received or sent. @see openapi.yaml, WebhookDelivery */
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

/** Who sent a delivery: a repository that is wired by a configuration, or one of an installation of the GitHub App. */
export type DeliverySource =
  | { config_id: string; installation_row_id: null }
  | { config_id: null; installation_row_id: string };

/** What a provider says it delivers. */
export interface DeliveryHeaders {
  /** The same when it is delivered again. */
  provider_delivery_id: string;
  event: string;
  /** Whether anybody here does something with it. */
  is_handled: boolean;
}

export type Received = { accepted: true; delivery_id: string } | { accepted: false; reason: 'duplicate' | 'ignored' };

/** A delivery that waits to be worked on, its body as it came. */
export type OpenedDelivery = DeliverySource & {
  id: string;
  provider_delivery_id: string;
  event: string;
  raw: Buffer;
};

/**
 * A delivery on its way, opened before its body is read. `end` proves who sent the body, and gives what takes it in.
 * `end` throws ServiceError 401 `signature_invalid`.
 */
export interface IncomingDelivery {
  /** Deliveries of one key share the memory that bodies may take. */
  key?: string;
  /** Sees every part of the body as it comes. */
  update(chunk: Uint8Array): void;
  end(raw: Buffer): AcceptDelivery;
}

/** Takes in a delivery whose sender is proven. */
export type AcceptDelivery = () => Promise<Received>;

/** What became of a delivery; `accepted`: it was worked on. */
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
  /** The integration key with which plans are submitted; null once it was revoked. */
  dpa_token: string | null;
  /** Of the repository's host; null = there is none. */
  api_token: string | null;
  /** Whose token it is, at the host. */
  api_user_id: string | null;
}

/** A row that is about to be stored. */
export type ReceivedDelivery = DeliverySource & {
  id: string;
  provider_delivery_id: string;
  event: string;
  status: 'accepted' | 'ignored';
  /** The body as it came, sealed; null where nobody will look at it. */
  payload_ct: Buffer | null;
  /** When its work is asked for again, unless it is done; null = there is none. */
  next_attempt_at: Date | null;
  begun_at: Date;
  created_at: Date;
  finished_at: Date | null;
};

/** An email domain whose people may log in. */
export interface DomainEntry {
  id: string;
  domain: string;
  created_at: Date;
  /** Email of who added it; null where the deployment did. */
  created_by: string | null;
}

/** A verified email, and who verified it. */
export interface EmailLogin {
  email: string;
  issuer: string;
}

/** What the deployment says by itself, beside the list that people keep. */
export interface AllowlistSettings {
  /** Exact addresses that get in whatever the list says. */
  allowed_emails: readonly string[];
  /** Put into an empty list, once in the life of the database. */
  seed_domains: readonly string[];
  /** Everyone whom this issuer verified gets in; null for none. */
  trusted_issuer: string | null;
}

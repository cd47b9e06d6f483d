/** An email domain whose users can sign in. */
export interface DomainEntry {
  id: string;
  domain: string;
  created_at: Date;
  /** Email of the person who added it; null if the deployment did. */
  created_by: string | null;
}

/** A verified email, and the issuer that verified it. */
export interface EmailLogin {
  email: string;
  issuer: string;
}

/** The deployment's own settings, in addition to the stored list. */
export interface AllowlistSettings {
  /** Exact addresses that are always accepted. */
  allowed_emails: readonly string[];
  /** Domains that are added to an empty list, once in the life of the database. */
  seed_domains: readonly string[];
  /** All users verified by this issuer are accepted; null for none. */
  trusted_issuer: string | null;
}

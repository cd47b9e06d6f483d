/** An email in plain text. */
export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
  /** Without angle brackets; the same for each attempt, so that mail programs show it once. */
  message_id: string;
  /** The message that it continues; null for the first of a conversation. */
  in_reply_to: string | null;
}

export type MailResult =
  | { ok: true }
  | {
      ok: false;
      /** A sentence without text from the server. */
      error: string;
      /** SMTP status; null without an answer. */
      status: number | null;
      /** Whether a retry cannot help. */
      is_final: boolean;
    };

/** Sends emails through the mail server of the deployment. Never throws for an answer of the server. */
export interface MailSender {
  send(mail: Mail): Promise<MailResult>;
}

import { z } from 'zod';
import { parseUrl } from '../lib/parse-url.ts';
import { baseUrl } from './values.ts';

/** Environment variables of the ways to reach people. */
export const MESSAGE_VARIABLES = {
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xoxb-/, 'must be a bot token, which starts with xoxb-')
    .optional(),
  SLACK_API_URL: baseUrl().default('https://slack.com/api'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n@]{1,200}@[^\r\n@]{1,200}$/, 'must be an email address, also as "name <address>"')
    .optional(),
};

type MessageVariables = z.infer<z.ZodObject<typeof MESSAGE_VARIABLES>>;
type Name = keyof MessageVariables;

/** Problems that no single variable shows; invalid values count as set. */
export function messageContradictions(given: Partial<Record<Name, unknown>>): string[] {
  const [url, from] = [given.SMTP_URL !== undefined, given.MAIL_FROM !== undefined];
  if (url === from) return [];
  return [url ? 'MAIL_FROM is required with SMTP_URL: it is the sender of emails' : 'MAIL_FROM also needs SMTP_URL'];
}

/** Called after messageContradictions found no problem. */
export function messageSettings(given: MessageVariables) {
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: api_url, SMTP_URL: url, MAIL_FROM: from } = given;
  return {
    /** The workspace of the deployment; null = none. */
    slack: token === undefined ? null : { token, api_url: `${api_url}/` },
    slack_api_url: `${api_url}/`,
    /** Null = no email is sent. */
    mail: url === undefined || from === undefined ? null : { url, from },
    mail_domain: readDomain(from) ?? 'dpa.invalid',
  };
}

/** The domain of `name <address>`; undefined without one. */
function readDomain(from: string | undefined): string | undefined {
  const [domain] = from?.slice(from.lastIndexOf('@') + 1).split('>') ?? [];
  return domain === undefined || parseUrl(`https://${domain}`) === undefined ? undefined : domain;
}

import { z } from 'zod';

/** Environment variables of the Slack app that organizations install in their own workspace. */
export const SLACK_APP_VARIABLES = {
  SLACK_CLIENT_ID: z
    .string()
    .regex(/^\d{1,30}\.\d{1,30}$/, 'must be the client ID of a Slack app, such as 1234567890.1234567890')
    .optional(),
  SLACK_CLIENT_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  SLACK_SIGNING_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
};

type SlackVariables = z.infer<z.ZodObject<typeof SLACK_APP_VARIABLES>>;
type Name = keyof SlackVariables;

const NAMES = Object.keys(SLACK_APP_VARIABLES) as Name[];

/** Problems that no single variable shows; invalid values count as set. */
export function slackContradictions(given: Partial<Record<Name, unknown>>): string[] {
  const missing = NAMES.filter((name) => given[name] === undefined);
  if (missing.length === NAMES.length) return [];
  return missing.map((name) => `${name} is required with the other variables of the Slack app`);
}

/** Called after slackContradictions found no problem. @returns null if there is no app */
export function slackAppSettings(given: SlackVariables) {
  if (given.SLACK_CLIENT_ID === undefined) return null;
  return {
    client_id: given.SLACK_CLIENT_ID,
    client_secret: given.SLACK_CLIENT_SECRET ?? '',
    signing_secret: given.SLACK_SIGNING_SECRET ?? '',
  };
}

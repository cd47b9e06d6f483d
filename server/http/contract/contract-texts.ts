/** Texts that are added to the served contract: who can call an operation, and what each error class means. */
import { ERROR_CLASSES } from '../../lib/error-classes.ts';
import { ROLES } from '../../lib/principal.ts';
import type { Access } from './openapi-types.ts';

/** Who can call an operation, in Markdown, for the end of its description. */
export function accessText(access: Access): string {
  return [`**Credential:** ${credential(access)}.`, ...role(access), ...auditRows(access)].join(' ');
}

function credential({ credential, platform_admin, scope, key }: Access): string {
  if (credential === 'none') return 'none';
  if (platform_admin === 'required') return 'an access token of a platform admin';
  if (credential === 'oidc') return 'an access token; API keys are refused';
  if (key === 'exempt') return 'an access token, or any API key of the organization';
  return scope === undefined
    ? 'an access token or an API key'
    : `an access token, or an API key with the scope \`${scope}\``;
}

function role({ role: least, self, key, platform_admin }: Access): string[] {
  if (least === undefined) return [];
  const higher = least === ROLES.at(-1) ? '' : ' or higher';
  const own = self ? ', or any role for your own' : '';
  const with_key = key === 'exempt' ? ' with an access token' : '';
  const anyone = platform_admin === 'also' ? ', or a platform admin with an access token' : '';
  return [`**Role:** \`${least}\`${higher}${own}${with_key}${anyone}.`];
}

function auditRows({ audit = [] }: Access): string[] {
  return audit.length === 0 ? [] : [`**Audit log:** ${audit.map((action) => `\`${action}\``).join(', ')}.`];
}

/** All error classes with their statuses and meaning, as a Markdown section. */
export function errorSection(): string {
  const rows = Object.entries(ERROR_CLASSES).map(
    ([name, { statuses, meaning }]) => `| ${statuses.join(', ')} | \`${name}\` | ${meaning} |`,
  );
  const intro =
    'Every error has the shape `Error`: `error` is a message for people that says what is wrong and what to do, `error_class` ' +
    'is a code for programs, and `request_id` identifies the request in the log. New classes may be added.';
  return ['## Errors', '', intro, '', '| Status | `error_class` | Meaning |', '|---|---|---|', ...rows].join('\n');
}

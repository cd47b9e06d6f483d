import type { RestReply } from '../rest-server.ts';

/** The error bodies of Google APIs: AIP-193, and OAuth for token endpoints. */
export function apiError(code: number, status: string, message: string, details: unknown[] = []): RestReply {
  return { status: code, body: { error: { code, message, status, ...(details.length > 0 && { details }) } } };
}

export function errorInfo(reason: string, metadata: Record<string, string> = {}, domain = 'googleapis.com') {
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain, metadata };
}

export function oauthError(error: string, error_description: string, status = 400): RestReply {
  return { status, body: { error, error_description } };
}

export const UNAUTHENTICATED = apiError(
  401,
  'UNAUTHENTICATED',
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  [errorInfo('ACCESS_TOKEN_TYPE_UNSUPPORTED', { service: 'cloudasset.googleapis.com' })],
);

/** Cloud Asset does not name the missing permission. */
export const DENIED_BY_IAM = apiError(403, 'PERMISSION_DENIED', 'Request denied by Cloud IAM.', [
  {
    '@type': 'type.googleapis.com/google.rpc.Help',
    links: [
      {
        description: 'To check permissions required for this RPC:',
        url: 'https://cloud.google.com/asset-inventory/docs/access-control#required_permissions',
      },
    ],
  },
]);

export function apiDisabled(service: string, number: string): RestReply {
  const message = `Cloud Asset API has not been used in project ${number} before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/${service}/overview?project=${number} then retry.`;
  return apiError(403, 'PERMISSION_DENIED', message, [
    errorInfo('SERVICE_DISABLED', { service, consumer: `projects/${number}` }),
  ]);
}

export function permissionDenied(permission: string, resource: string): RestReply {
  const message = `Permission '${permission}' denied on resource '${resource}' (or it may not exist).`;
  return apiError(403, 'PERMISSION_DENIED', message, [
    errorInfo('IAM_PERMISSION_DENIED', { permission, resource }, permission.split('.')[0]),
  ]);
}

export function rateLimited(retry: { header?: string; delay?: string } = {}): RestReply {
  const details = [
    errorInfo('RATE_LIMIT_EXCEEDED', {
      service: 'cloudasset.googleapis.com',
      quota_limit: 'defaultPerMinutePerProject',
    }),
    ...(retry.delay === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: retry.delay }]),
  ];
  const reply = apiError(429, 'RESOURCE_EXHAUSTED', "Quota exceeded for quota metric 'Search requests'.", details);
  return retry.header === undefined ? reply : { ...reply, headers: { 'retry-after': retry.header } };
}

export const INVALID_PAGE_TOKEN = apiError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', [
  {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field: 'page_token', description: 'Invalid or expired page token.' }],
  },
]);

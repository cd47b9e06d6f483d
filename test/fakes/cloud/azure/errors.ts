import type { RestReply } from '../rest-server.ts';

const TRACE_ID = '0d1a6ab8-5f0e-4a0c-9d3c-6b8f1b2c3d00';
const CORRELATION_ID = '7b1c9a34-2f61-4f10-8f43-51d0c6a9e111';

/** The error body of Microsoft Entra ID. */
export function entraError(error: string, code: number, text: string, status = 401): RestReply {
  const timestamp = '2026-03-02 10:00:00Z';
  const error_description = `AADSTS${code}: ${text} Trace ID: ${TRACE_ID} Correlation ID: ${CORRELATION_ID} Timestamp: ${timestamp}`;
  return {
    status,
    body: {
      error,
      error_description,
      error_codes: [code],
      timestamp,
      trace_id: TRACE_ID,
      correlation_id: CORRELATION_ID,
      error_uri: `https://login.microsoftonline.com/error?code=${code}`,
    },
  };
}

/** The error body of Resource Manager. */
export function armError(status: number, code: string, message: string): RestReply {
  return { status, body: { error: { code, message } } };
}

/** The error body of Resource Graph: the real code is in the details. */
export function graphError(status: number, code: string, detail: { code: string; message: string }): RestReply {
  const message = `Please provide below info when asking for support: timestamp = 2026-03-02T10:00:00.1462571Z, correlationId = ${CORRELATION_ID}.`;
  return { status, body: { error: { code, message, details: [detail] } } };
}

export const RATE_LIMITED: RestReply = {
  ...graphError(429, 'RateLimiting', {
    code: 'RateLimiting',
    message:
      'Client application has been throttled and should not attempt to repeat the request until an amount of time has elapsed. Please see https://aka.ms/resourcegraph-throttling for help.',
  }),
  headers: { 'x-ms-user-quota-remaining': '0', 'x-ms-user-quota-resets-after': '00:00:05' },
};

export const INVALID_SKIP_TOKEN = graphError(400, 'BadRequest', {
  code: 'CouldNotDecodeSkipToken',
  message: 'Skip token could not be decoded.',
});

export function notAuthorized(action: string, scope: string): RestReply {
  const message = `The client '11111111-2222-4333-8444-555555555555' with object id '99999999-2222-4333-8444-555555555555' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`;
  return armError(403, 'AuthorizationFailed', message);
}

import { isObject } from '../../../lib/is-object.ts';
import { readRetryAfter } from '../../../lib/retry-after.ts';
import {
  createCloudError,
  createThrottledError,
  describeBadRequest,
  describeRejectedToken,
  describeServerError,
  type FaultDetail,
} from '../rest/fault.ts';
import { type RestResponse, unreadable } from '../rest/request.ts';
import type { CloudCall, CloudError } from '../types.ts';
import { readQuotaReset } from './quota.ts';

export const CLOUD = 'Azure';

const OTHER_TENANT: FaultDetail = {
  code: 'credential_error',
  message:
    'The subscription belongs to another tenant than the application. Use an application of the tenant that the subscription belongs to.',
};
const NO_SUBSCRIPTION: FaultDetail = {
  code: 'access_denied',
  message:
    'The subscription does not exist, or the application has no role on it. Check the subscription ID, and grant Reader on the subscription to the application.',
  permission: 'Microsoft.Resources/subscriptions/read',
};
const DISABLED: FaultDetail = {
  code: 'access_denied',
  message: 'The subscription is disabled. Enable it in the Azure portal, and scan again.',
};

const BY_CODE: Readonly<Record<string, FaultDetail>> = {
  InvalidAuthenticationTokenTenant: OTHER_TENANT,
  SubscriptionNotFound: NO_SUBSCRIPTION,
  InvalidSubscriptionId: NO_SUBSCRIPTION,
  DisabledSubscription: DISABLED,
  ReadOnlyDisabledSubscription: DISABLED,
  SubscriptionNotRegistered: NO_SUBSCRIPTION,
};

/** Codes of Resource Graph for a table that this cloud or tenant does not have. */
const NO_TABLE = new Set(['DisallowedLogicalTableName', 'InvalidTableName', 'UnknownTable']);
const ACTION = /perform action '([A-Za-z0-9.*/-]{3,200})'/;

interface AzureError {
  /** Codes of the error and of its details. */
  codes: readonly string[];
  /** Azure's text. Only searched for the name of an action; never shown. */
  message: string;
}

/** @returns undefined if the body is not an error of Resource Manager. @see Azure Resource Manager RPC, error format */
export function parseAzureError({ body }: Pick<RestResponse, 'body'>): AzureError | undefined {
  const error = body?.['error'];
  if (!isObject(error)) return undefined;
  const details = Array.isArray(error['details']) ? error['details'].filter(isObject) : [];
  const codes = [error, ...details].map(({ code }) => code).filter((code) => typeof code === 'string');
  return { codes, message: typeof error['message'] === 'string' ? error['message'] : '' };
}

/** The error for a response with a status other than 2xx. The text of the response is never part of it. */
export function toAzureError(response: RestResponse, call: CloudCall, now: Date): CloudError {
  const { service } = call;
  const { status, headers } = response;
  const error = parseAzureError(response);
  if (status === 429 || error?.codes.includes('RateLimiting')) {
    return createThrottledError(
      CLOUD,
      service,
      readRetryAfter(headers.get('retry-after'), now) ?? readQuotaReset(headers),
    );
  }
  const known = error?.codes.find((code) => Object.hasOwn(BY_CODE, code));
  if (known !== undefined) return createCloudError({ ...BY_CODE[known]!, service });
  if (status >= 500) return createCloudError(describeServerError(CLOUD, service, status));
  if (error === undefined) return unreadable({ cloud: CLOUD, service });
  return createCloudError({ ...describeRefusal(response, call, { error, now }), service });
}

interface Context {
  error: AzureError;
  now: Date;
}

function describeRefusal(response: RestResponse, call: CloudCall, { error, now }: Context): FaultDetail {
  const { status } = response;
  if (status === 401) return describeRejectedToken(CLOUD, response, now);
  if (status === 403 || status === 404) return describeDenied(call, error);
  if (error.codes.some((code) => NO_TABLE.has(code))) {
    return { code: 'unsupported_type', message: `This cloud has no table for this part in ${call.service}.` };
  }
  return describeBadRequest(CLOUD, call.service, status);
}

function describeDenied(call: CloudCall, { message }: AzureError): FaultDetail {
  const permission = ACTION.exec(message)?.[1] ?? call.permissions[0] ?? null;
  return {
    code: 'access_denied',
    message: `The application is not allowed to call ${call.operation}. Grant Reader on the subscription to it, which contains ${permission}.`,
    permission,
  };
}

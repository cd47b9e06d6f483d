import { InvalidInput } from '../../lib/errors.ts';
import { type ExchangeForm, FEDERATION_SCOPES, type FederationScope } from './types.ts';

export const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const SUBJECT_TOKEN_TYPES = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token',
];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface ExchangeRequest {
  token: string;
  /** null: `audience` is not an organization id. */
  org_id: string | null;
  /** null: all scopes of the trust. */
  scopes: readonly FederationScope[] | null;
}

/**
 * Parses a token exchange request.
 *
 * @throws InvalidInput `unsupported_grant_type`, `invalid_request` or `invalid_scope`
 * @see RFC 8693, section 2.1; RFC 6749, section 3.3 for `scope`
 */
export function readExchange(form: ExchangeForm): ExchangeRequest {
  if (form.grant_type !== GRANT_TYPE) {
    throw new InvalidInput(`grant_type must be ${GRANT_TYPE}`, 'unsupported_grant_type');
  }
  if (!SUBJECT_TOKEN_TYPES.includes(form.subject_token_type)) {
    throw new InvalidInput(`subject_token_type must be ${SUBJECT_TOKEN_TYPES.join(' or ')}`);
  }
  const org_id = form.audience.toLowerCase();
  return { token: form.subject_token, org_id: UUID.test(org_id) ? org_id : null, scopes: readScopes(form.scope) };
}

function readScopes(text: string | undefined): readonly FederationScope[] | null {
  if (text === undefined) return null;
  const requested = text.split(' ').filter((scope) => scope !== '');
  if (requested.length === 0 || !requested.every((scope) => (FEDERATION_SCOPES as readonly string[]).includes(scope))) {
    throw new InvalidInput(`scope must contain only ${FEDERATION_SCOPES.join(' ')}, at least one`, 'invalid_scope');
  }
  return FEDERATION_SCOPES.filter((scope) => requested.includes(scope));
}

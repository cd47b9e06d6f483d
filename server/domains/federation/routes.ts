import type { Handlers } from '../../contract/operation.ts';
import { pickFields } from '../../contract/pick-fields.ts';
import type { TokenExchange } from './exchange-service.ts';
import type { Federation } from './service.ts';
import type { FederationTrust } from './types.ts';

type FederationHandlers = Pick<
  Handlers,
  'getFederationInfo' | 'exchangeToken' | 'listFederationTrusts' | 'createFederationTrust' | 'deleteFederationTrust'
>;

export function federationRoutes(federation: Federation, tokenExchange: TokenExchange): FederationHandlers {
  return {
    async getFederationInfo() {
      return { status: 200, body: federation.info() };
    },

    async exchangeToken({ body }) {
      const { access_token, expires_in, scopes, org_id } = await tokenExchange.exchange(body);
      return {
        status: 200,
        body: {
          access_token,
          issued_token_type: 'urn:dpa:params:oauth:token-type:api-key',
          token_type: 'N_A',
          expires_in,
          scope: scopes.join(' '),
          org_id,
        },
      };
    },

    async listFederationTrusts({ org }) {
      return { status: 200, body: { trusts: (await federation.list(org.id)).map(trustRecord) } };
    },

    async createFederationTrust({ principal, org, body, once }) {
      return once(
        (trust: FederationTrust) => ({ status: 201, body: trustRecord(trust) }),
        (keep) => federation.create(principal, org.id, body, keep),
      );
    },

    async deleteFederationTrust({ principal, org, path }) {
      await federation.remove(principal, org.id, path.trust_id);
      return { status: 204 };
    },
  };
}

function trustRecord(trust: FederationTrust) {
  return {
    ...pickFields(trust, [
      'id',
      'name',
      'issuer',
      'scopes',
      'ttl_seconds',
      'enabled',
      'created_by',
      'created_at',
      'last_used_at',
    ]),
    conditions: trust.conditions.map(({ claim, op, value }) => ({ claim, op, value })),
  };
}

import type { Handlers } from '../../contract/operation.ts';
import type { Sso } from './service.ts';

export function ssoRoutes({ get, configure }: Sso): Pick<Handlers, 'getSsoConfig' | 'putSsoConfig'> {
  return {
    async getSsoConfig({ org }) {
      return { status: 200, body: await get(org.id) };
    },

    putSsoConfig: ({ org }) => configure(org.id),
  };
}

/** Every body gets the same response, so none is read. */
export function ssoBodyReaders({ configure }: Sso) {
  return { putSsoConfig: ({ org_id }: { org_id: string | null }) => configure(org_id ?? '') };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../server/lib/ids.ts';
import { AUDIENCE, type CertifiedProvider, startCertifiedProvider } from '../../adapters/oidc/certified-provider.ts';
import { AUDIENCE as CI_AUDIENCE, type CiIssuer, GITHUB_CLAIMS, startCi } from '../../domains/federation/ci-issuer.ts';
import { type Caller, startTestService, type TestService } from '../../helpers/service.ts';

const DPA_VARIABLES = ['DPA_URL', 'DPA_TOKEN', 'DPA_ORG', 'DPA_AUDIENCE', 'DPA_ID_TOKEN'];
/** The variables that decide which service a command calls, and as whom. */
export const CONNECTION_VARIABLES = ['XDG_CONFIG_HOME', 'ACTIONS_ID_TOKEN_REQUEST_URL', ...DPA_VARIABLES];

/** A service, an identity provider, and a CI that one organization trusts. */
export interface RemoteFixtures {
  service: TestService;
  provider: CertifiedProvider;
  ci: CiIssuer;
  /** Owns `acme` and `side`; eve owns only `solo`. */
  ana: Caller;
  token: string;
  orgs: Record<'acme' | 'side' | 'solo', string>;
  /** API keys with all scopes in acme and in solo. */
  keys: Record<'acme' | 'solo', string>;
  /** The folder of this run, with a plan without changes. */
  folder: string;
  empty_plan: string;
  close(): Promise<void>;
}

export async function startRemoteFixtures(): Promise<RemoteFixtures> {
  const [provider, ci, folder] = await Promise.all([
    startCertifiedProvider(),
    startCi(),
    mkdtemp(join(tmpdir(), 'dpa-remote-')),
  ]);
  const service = await startTestService({
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: AUDIENCE,
    SEED_ALLOWED_DOMAINS: 'example.com',
    API_URL: CI_AUDIENCE,
    FEDERATION_TRUSTED_ISSUERS: ci.issuer,
  });
  const fetchToken = async (name: string) => (await provider.login(name)).access_token;
  const createCaller = (token: string) => service.withHeaders({ authorization: `Bearer ${token}` });
  const token = await fetchToken('ana');
  const [ana, eve] = [createCaller(token), createCaller(await fetchToken('eve'))];
  const orgs = { acme: await makeOrg(ana, 'acme'), side: await makeOrg(ana, 'side'), solo: await makeOrg(eve, 'solo') };
  await addTrust(service, { org_id: orgs.acme, ana, issuer: ci.issuer });
  const empty_plan = join(folder, 'quiet.json');
  await writeFile(empty_plan, '{"format_version":"1.2","resource_changes":[]}');
  return {
    ...{ service, provider, ci, ana, token, orgs, folder, empty_plan },
    keys: { acme: await makeKey(ana, orgs.acme), solo: await makeKey(eve, orgs.solo) },
    async close() {
      await Promise.all([service.close(), provider.close(), ci.close()]);
      await rm(folder, { recursive: true });
    },
  };
}

async function makeOrg(owner: Caller, slug: string): Promise<string> {
  return (await owner.post('/api/v2/orgs', { slug, display_name: slug })).body.id;
}

async function makeKey(owner: Caller, org: string): Promise<string> {
  return (await owner.post(`/api/v2/orgs/${org}/api-keys`, { name: 'ci', scopes: ['write'] })).body.key;
}

/** Written to the database, because the API requires https for an issuer. */
async function addTrust(
  service: TestService,
  { org_id, ana, issuer }: { org_id: string; ana: Caller; issuer: string },
) {
  const { user } = (await ana.get('/api/v2/me')).body;
  const conditions = JSON.stringify([{ claim: 'repository_id', op: 'eq', value: GITHUB_CLAIMS.repository_id }]);
  const scopes = ['analysis:read', 'analysis:write'];
  const row = { name: 'CI', issuer, conditions, scopes, ttl_seconds: 300, created_by: user.id };
  await service.admin_db('federation_trusts').insert({ ...row, id: newId(), org_id });
}

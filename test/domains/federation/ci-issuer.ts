/** A local CI that issues tokens to its jobs: discovery, keys, and claims like those of GitHub and GitLab. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const AUDIENCE = 'https://api.dpa.example';

export interface CiIssuer {
  issuer: string;
  requests: string[];
  /** While true, every response is 500. */
  broken: boolean;
  /** Signs claims; `iss`, `aud`, times and `jti` are filled in unless given (undefined omits one). */
  sign(claims?: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Another key next to the published ones, as after a rotation. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

export async function startCi(): Promise<CiIssuer> {
  const keys: { kid: string; private_key: CryptoKey; jwk: JWK }[] = [];
  const ci = { requests: [], broken: false } as unknown as CiIssuer;
  const server = createServer((request, response) => {
    ci.requests.push(request.url ?? '');
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: ci.issuer, jwks_uri: `${ci.issuer}/jwks` },
      '/jwks': { keys: keys.map(({ jwk }) => jwk) },
    };
    const document = documents[request.url ?? ''];
    response.writeHead(ci.broken ? 500 : document === undefined ? 404 : 200).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ci.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ci.rotate = async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    const kid = randomUUID();
    keys.push({ kid, private_key: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256' } });
  };
  ci.sign = async (claims = {}, header = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const standard = { iss: ci.issuer, aud: AUDIENCE, jti: randomUUID(), iat: now, nbf: now - 5, exp: now + 3600 };
    const { kid, private_key } = keys.at(-1)!;
    return new SignJWT({ ...standard, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT', ...header })
      .sign(private_key);
  };
  ci.close = () => new Promise((resolve) => server.close(() => resolve()));
  await ci.rotate();
  return ci;
}

/** Claims of a workflow of `acme/infra`; see GitHub, "OpenID Connect reference". */
export const GITHUB_CLAIMS = {
  sub: 'repo:acme/infra:ref:refs/heads/main',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  ref_protected: 'true',
  sha: '4d1c9a3f0b6e2d8c7a5f1e0d9b8c7a6f5e4d3c2b',
  repository: 'acme/infra',
  repository_id: '74001',
  repository_owner: 'acme',
  repository_owner_id: '6500',
  repository_visibility: 'private',
  run_id: '9911223344',
  run_number: '10',
  run_attempt: '1',
  actor: 'ana',
  actor_id: '1200',
  workflow: 'plan',
  workflow_ref: 'acme/infra/.github/workflows/plan.yml@refs/heads/main',
  job_workflow_ref: 'acme/infra/.github/workflows/plan.yml@refs/heads/main',
  head_ref: '',
  base_ref: '',
  event_name: 'push',
  runner_environment: 'github-hosted',
};

/** Claims of a job of `acme/infra`; see GitLab, "ID token authentication". */
export const GITLAB_CLAIMS = {
  sub: 'project_path:acme/infra:ref_type:branch:ref:main',
  namespace_id: '72',
  namespace_path: 'acme',
  project_id: '20',
  project_path: 'acme/infra',
  user_id: '1',
  user_login: 'ana',
  user_email: 'ana@example.com',
  pipeline_id: '574',
  pipeline_source: 'push',
  job_id: '302',
  ref: 'main',
  ref_type: 'branch',
  ref_path: 'refs/heads/main',
  ref_protected: 'true',
  runner_id: 1,
  runner_environment: 'gitlab-hosted',
  sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
};

/** Claims of a merge request from a fork that runs in the target project: they describe the fork. */
export const GITLAB_FORK_CLAIMS = {
  ...GITLAB_CLAIMS,
  sub: 'project_path:mallory/infra:ref_type:branch:ref:main',
  namespace_id: '9001',
  namespace_path: 'mallory',
  project_id: '4242',
  project_path: 'mallory/infra',
  user_id: '77',
  user_login: 'mallory',
  user_email: 'mallory@example.net',
  pipeline_source: 'merge_request_event',
  ref_protected: 'false',
};

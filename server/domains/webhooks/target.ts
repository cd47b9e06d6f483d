import { dropTrailing } from '../../../engine/index.ts';
import { InvalidInput } from '../../lib/errors.ts';
import type { ScmProvider, Target, WebhookConfigInput } from './types.ts';

const PUBLIC_HOSTS: Record<ScmProvider, string> = { github: 'https://github.com', gitlab: 'https://gitlab.com' };
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.-]+$/;
const MOST_SEGMENTS = 22;

/** Rejects a URL that is not a public https server. @throws InvalidInput `url_not_allowed` */
export type AssertPublicUrl = (url: string, field: string) => void;

/**
 * The target of a new configuration, normalized so that two of them can be compared.
 *
 * @throws InvalidInput, `url_not_allowed` for a URL that must not be called
 */
export function parseTarget(input: WebhookConfigInput, assertPublicUrl: AssertPublicUrl): Target {
  const { provider, repo_path, provider_base_url } = input;
  if (provider !== 'generic') {
    return {
      provider,
      repo_path: parseRepository(provider, repo_path),
      provider_base_url: parseHost(provider, provider_base_url, assertPublicUrl),
    };
  }
  if (repo_path !== undefined) throw new InvalidInput('repo_path does not apply to a generic webhook; leave it out');
  if (provider_base_url === undefined) {
    throw new InvalidInput('provider_base_url is required: a generic webhook needs the URL to call');
  }
  assertPublicUrl(provider_base_url, 'provider_base_url');
  return { provider, repo_path: null, provider_base_url };
}

/** `owner/name` at GitHub, `group/…/project` at GitLab. */
function parseRepository(provider: ScmProvider, path: string | undefined): string {
  if (path === undefined) throw new InvalidInput(`repo_path is required: name the ${provider} repository`);
  const segments = path.split('/');
  const fits = provider === 'github' ? segments.length === 2 : segments.length >= 2 && segments.length <= MOST_SEGMENTS;
  if (fits && segments.every((segment) => SEGMENT.test(segment))) return path;
  const form = provider === 'github' ? 'owner/name' : 'group/project or group/subgroup/project';
  throw new InvalidInput(`repo_path must be ${form}, without the address of the host`);
}

function parseHost(provider: ScmProvider, given: string | undefined, assertPublicUrl: AssertPublicUrl): string {
  const text = given ?? PUBLIC_HOSTS[provider];
  assertPublicUrl(text, 'provider_base_url');
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '') {
    throw new InvalidInput(
      'provider_base_url must not contain a query or a fragment: remove "?" or "#" and what follows',
    );
  }
  return url.origin + dropTrailing(url.pathname, '/');
}

/** Names of one owner on several hosts: an organization of GitHub has repositories, files and images under its name. */

/** Hosts that share their tenants, each list with the host of the canonical name first. */
const SHARED_TENANTS: readonly (readonly string[])[] = [
  ['github.com', 'ghcr.io', 'raw.githubusercontent.com', 'gist.github.com', 'api.github.com'],
  ['gitlab.com', 'registry.gitlab.com'],
  ['docker.io', 'index.docker.io'],
  ['dev.azure.com', 'ssh.dev.azure.com'],
  ['login.microsoftonline.com', 'sts.windows.net'],
];
const HOSTS: ReadonlyMap<string, readonly string[]> = new Map(
  SHARED_TENANTS.flatMap((hosts) => hosts.map((host) => [host, hosts] as const)),
);

/** Every name of an owner: the same tenant on all hosts that share their tenants. */
export function listAliases(owner: string): string[] {
  const [host, tenant] = splitTenant(owner);
  const hosts = tenant === undefined ? undefined : HOSTS.get(host);
  return hosts === undefined ? [owner] : hosts.map((other) => `${other}/${tenant}`);
}

/** The one name under which an owner is stored: `github.com/acme` for `ghcr.io/acme`. */
export function toCanonicalOwner(owner: string): string {
  return listAliases(owner)[0] ?? owner;
}

/** `['github.com', 'acme']`; without a tenant, the second item is undefined. */
export function splitTenant(owner: string): [host: string, tenant: string | undefined] {
  const slash = owner.indexOf('/');
  return slash < 0 ? [owner, undefined] : [owner.slice(0, slash), owner.slice(slash + 1)];
}

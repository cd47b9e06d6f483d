/** Owners that an organization can have: their kinds, how people write them, and what can be nobody's own. */
import { splitTenant, toCanonicalOwner } from './aliases.ts';
import { isAnonymous, isFreeMail, isSharedHost, isVendor } from './hosts.ts';
import { readPlace } from './places.ts';
import { isProviderOwned } from './providers.ts';

export const OWNER_KINDS = [
  'account',
  'project',
  'subscription',
  'folder',
  'organization',
  'tenant',
  'domain',
  'repository_host',
  'registry',
  'bucket',
  'address',
] as const;
export type OwnerKind = (typeof OWNER_KINDS)[number];

/** An owner as `Place.owner` in its canonical form, or the end of a sentence that begins with the text. */
export type ParsedOwner = { owner: string; kind: OwnerKind } | { problem: string };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Owners whose kind is a prefix, and the form of their names. */
const NAMED: ReadonlyMap<string, RegExp> = new Map([
  ['account', /^\d{12}$/],
  ['project', /^[a-z0-9][a-z0-9.:-]{2,61}[a-z0-9]$/],
  ['subscription', UUID],
  ['folder', /^\d{1,30}$/],
  ['organization', /^\d{1,30}$/],
  ['bucket', /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/],
  ['address', IPV4],
]);
const DOMAIN_LABEL = /^[a-z0-9_-]{1,63}$/;
const TENANT = /^[a-z0-9_][a-z0-9._-]{0,99}$/;
/** Hosts whose first path segments name an owner that is not stored: a method, or the secret of a webhook. */
const UNSTORED_TENANTS = new Set([
  'accounts.google.com',
  'api.github.com',
  'api.telegram.org',
  'discord.com',
  'hooks.slack.com',
]);
const SHARED_DIRECTORIES = new Set(['common', 'consumers', 'organizations']);
const DIRECTORY_HOSTS = new Set(['login.microsoftonline.com', 'sts.windows.net']);
const REGISTRY_HOSTS = new Set(['ghcr.io', 'quay.io', 'docker.io', 'index.docker.io', 'public.ecr.aws']);
const REGISTRY_SUFFIX = /\.(?:azurecr|jfrog)\.io$/;
const DIRECTORY_SUFFIX =
  /\.(?:onmicrosoft|b2clogin|ciamlogin|okta|oktapreview|okta-emea|auth0|onelogin|pingone|awsapps)\.com$/;

/** The kind of an owner in canonical form. */
export function findOwnerKind(owner: string): OwnerKind {
  const colon = owner.indexOf(':');
  if (colon > 0) return OWNER_KINDS.find((kind) => kind === owner.slice(0, colon)) ?? 'domain';
  const [host, tenant] = splitTenant(owner);
  if (tenant === undefined) {
    if (REGISTRY_SUFFIX.test(host)) return 'registry';
    return DIRECTORY_SUFFIX.test(host) ? 'tenant' : 'domain';
  }
  if (DIRECTORY_HOSTS.has(host)) return 'tenant';
  return REGISTRY_HOSTS.has(host) ? 'registry' : 'repository_host';
}

/**
 * Reads an owner as people write it: an account ID, a domain, `github.com/acme`, a URL, an image, an ARN, a mail address,
 * a resource path, or a name with its kind such as `project:acme-prod`.
 */
export function parseOwner(text: string): ParsedOwner {
  const owner = readOwner(text.trim());
  const problem = findOwnerProblem(owner);
  if (problem !== null) return { problem };
  const canonical = toCanonicalOwner(owner);
  return { owner: canonical, kind: findOwnerKind(canonical) };
}

function readOwner(text: string): string {
  const colon = text.indexOf(':');
  const kind = text.slice(0, Math.max(0, colon)).toLowerCase();
  if (NAMED.has(kind)) return `${kind}:${text.slice(colon + 1).toLowerCase()}`;
  const place = readPlace(text.replace(/^gs:/i, 's3:'));
  if (place !== null) return place.owner;
  return text.includes('/') || IPV4.test(text) ? (readPlace(`https://${text}`)?.owner ?? '') : '';
}

const EXAMPLES =
  'write an account ID, a domain, github.com/acme, a URL, an image, an ARN, or a name with its kind such as project:acme-prod';

/** Why an owner cannot be an organization's own; null if it can. */
export function findOwnerProblem(owner: string): string | null {
  if (owner === '') return `does not name an owner; ${EXAMPLES}`;
  if (owner === 'internal') return 'is an internal address, which is never foreign; it need not be added';
  const [host, tenant] = splitTenant(owner);
  if (isAnonymous(host)) return 'is on a host that anyone can register';
  if (isFreeMail(host)) return 'is a provider of free mail, where anyone can have an address';
  if (isVendor(owner) || isProviderOwned(owner))
    return 'belongs to a vendor or cloud provider that many organizations use';
  if (isShared(host, tenant))
    return 'is shared by many organizations; add the part that is yours, as in github.com/acme';
  return isWellFormed(owner, host, tenant) ? null : `is not a complete name of an owner; ${EXAMPLES}`;
}

function isShared(host: string, tenant: string | undefined): boolean {
  if (tenant === undefined) return isSharedHost(host);
  return UNSTORED_TENANTS.has(host) || (DIRECTORY_HOSTS.has(host) && SHARED_DIRECTORIES.has(tenant));
}

function isWellFormed(owner: string, host: string, tenant: string | undefined): boolean {
  const colon = owner.indexOf(':');
  if (colon > 0) return NAMED.get(owner.slice(0, colon))?.test(owner.slice(colon + 1)) ?? false;
  const labels = host.split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => DOMAIN_LABEL.test(label)) &&
    (tenant === undefined || TENANT.test(tenant))
  );
}

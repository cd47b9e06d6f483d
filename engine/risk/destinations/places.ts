import type { MaybeJson } from '../../changes/values.ts';
import { memoizeText } from '../../lib/memoize.ts';
import { findDomain, findOwner, isAnonymous, isFreeMail } from './hosts.ts';

/** Where a value points to: everything but the version of what is there. Most callers read the owner alone. */
export interface Place {
  /**
   * Who owns the place: `account:…`, `project:…`, `subscription:…`, `bucket:…`, `address:…`, `internal`, or a domain,
   * which may end in `/tenant`. Empty if the place does not say.
   */
  owner: string;
  /** The whole place without a tag, digest, revision or query. */
  readonly whole: string;
  /** Tunnels, request bins, free hosts and free mail: anyone can have such an address. */
  readonly anonymous: boolean;
}

/** A place whose other parts are computed when they are read. */
class LazyPlace implements Place {
  readonly owner: string;
  readonly #findWhole: () => string;
  readonly #isAnonymous: () => boolean;
  #whole: string | undefined;

  constructor(owner: string, findWhole: () => string, isAnonymous: () => boolean = () => false) {
    this.owner = owner;
    this.#findWhole = findWhole;
    this.#isAnonymous = isAnonymous;
  }

  get whole(): string {
    this.#whole ??= this.#findWhole();
    return this.#whole;
  }

  get anonymous(): boolean {
    return this.#isAnonymous();
  }
}

const URL =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s/@]{1,200}@)?(\[[0-9a-f:.]{2,45}\]|[^\s/:?#@]{1,253})(?::\d{1,5})?([^\s?#]{0,500})/i;
const GIT_ADDRESS = /^git@([a-z0-9.-]{3,253}):([^\s]{1,300})$/i;
const ARN = /^arn:[a-z-]{2,20}:([a-z0-9-]{1,40}):[a-z0-9-]{0,30}:(\d{12}|aws)?:(.{1,500})$/;
const GOOGLE_PATH = /(?:^|\/)(project|folder|organization)s\/([^/\s]{1,100})(?:\/|$)/;
const MAX_PATH_CHARS = 500;
const AZURE_ID = /^\/subscriptions\/([0-9a-f-]{36})(\/.{0,500})?$/i;
const IMAGE =
  /^((?:[a-z0-9-]{1,63}\.){1,8}[a-z][a-z0-9-]{1,62}(?::\d{1,5})?|[a-z0-9._-]{1,60})((?:\/[a-z0-9._-]{1,100}){1,8})(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$/;
const MEDIA_TYPE = /^(?:text|application|image|audio|video|font|multipart|message)\/[\w.+-]{1,100}$/;
const ADDRESS_RANGE = /^\d[\d.]{1,20}\/\d{1,2}$/;
const HOST = /^(?=.{4,253}(?::|$))(?:\*\.)?(?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,24}\.?(?::\d{1,5})?$/i;
const EMAIL = /^[^\s@]{1,100}@((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})$/i;
/** Names of files and packages that look like host names. */
const FILE_NAME =
  /\.(?:json|ya?ml|zip|jar|tgz|gz|py|js|ts|sh|sql|txt|md|html?|xml|conf|cfg|ini|pem|crt|key|log|csv|handler|main|exe|dll|war|whl|png|svg|ico|jpe?g|tf|tpl|lock|toml|rb|go|rs|java|class|php|ps1|bat)$/i;
/** A version at the end of a path: `:42`, `/versions/7`, `-1.2.3.zip`, `v20260102`. */
const VERSION =
  /(?:[:@/_-]v?\d[\w.+-]{0,60}|\/versions\/[\w.-]{1,60}|[:@/_-](?:latest|stable|main|prod)|[:@/_-][0-9a-f]{7,64})(\.[a-z]{2,4}(?:\.[a-z]{2,3})?)?$/i;

/** Reads a URL, ARN, resource path, image, host name or mail address; null for any other value. */
export function readPlace(value: MaybeJson): Place | null {
  if (typeof value !== 'string' || value.length < 4 || value.length > 2000) return null;
  if (isAccountId(value)) return readAccount(value);
  return readUrl(value) ?? readArn(value) ?? readCloudPath(value) ?? readAddress(value) ?? readImage(value);
}

/** Arguments whose plain value is a host name, a mail address or an image. */
const NAMES_PLACE =
  /(?:host|domain|fqdn|endpoint|ur[il]|email|member|content|record|rrdata|cname|origin|server|image|repo|callback|redirect|dns|address|target|registry|issuer|broker|relay|upstream|backend|webhook)/i;

/** Arguments whose plain number is an account of AWS. */
const NAMES_ACCOUNT = /account|owner|principal|registry_id/i;
const ACCOUNT_ID = /^\d{12}$/;

function isAccountId(value: string): boolean {
  return value.length === 12 && ACCOUNT_ID.test(value);
}

function readAccount(value: string): Place {
  return new LazyPlace(`account:${value}`, () => value);
}

const namesPlace = memoizeText((name) => NAMES_PLACE.test(name));

/** Like `readPlace`, except that host names, mail addresses and images count only if the argument names a place. */
export function readNamedPlace(value: MaybeJson, name: string): Place | null {
  if (typeof value !== 'string' || value.length < 4) return null;
  if (isAccountId(value)) return NAMES_ACCOUNT.test(name) ? readAccount(value) : null;
  return readCertainPlace(value) ?? (namesPlace(name) ? readPlace(value) : null);
}

/** Like `readPlace`, for values that name their owner without doubt. Host names and images can be other things. */
function readCertainPlace(value: string): Place | null {
  if (value.length < 8 || value.length > 2000) return null;
  if (value.startsWith('arn:')) return readArn(value);
  if (value.includes('://') || value.startsWith('git@')) return readUrl(value);
  return value.includes('/') ? readCloudPath(value) : null;
}

function readUrl(value: string): Place | null {
  if (!value.includes('://') && !value.includes('@')) return null;
  const match = URL.exec(value) ?? GIT_ADDRESS.exec(value);
  if (match === null) return null;
  const host = match[1]!.toLowerCase();
  const path = match[2] ?? '';
  if (host.endsWith('.googleapis.com') && path.includes('/projects/')) return readCloudPath(path.slice(1));
  const owner = /^s3$/i.test(value.slice(0, 2)) && value[2] === ':' ? `bucket:${host}` : findOwner(host, path);
  return new LazyPlace(
    owner,
    () => host + withoutVersion(path),
    () => isAnonymous(host),
  );
}

function readArn(value: string): Place | null {
  if (!value.startsWith('arn:')) return null;
  const match = ARN.exec(value);
  if (match === null) return null;
  const [, service = '', account = '', resource = ''] = match;
  const bucket = service === 's3' ? `bucket:${resource.split('/')[0]}` : '';
  const owner = /^\d/.test(account) ? `account:${account}` : bucket;
  return new LazyPlace(owner, () => `${service}:${account}:${withoutVersion(resource)}`);
}

function readCloudPath(value: string): Place | null {
  if (!value.includes('/')) return null;
  const azure = AZURE_ID.exec(value);
  if (azure !== null)
    return new LazyPlace(`subscription:${azure[1]!.toLowerCase()}`, () => withoutVersion(value.toLowerCase()));
  const google = GOOGLE_PATH.exec(value);
  if (google === null) return null;
  const path = value.slice(google.index, google.index + MAX_PATH_CHARS);
  return new LazyPlace(`${google[1]!}:${google[2]!}`, () => withoutVersion(path));
}

function readAddress(value: string): Place | null {
  if (!value.includes('.')) return null;
  const mail = EMAIL.exec(value);
  if (mail !== null) {
    const domain = findDomain(mail[1]!.toLowerCase());
    return new LazyPlace(
      domain,
      () => value.toLowerCase(),
      () => isFreeMail(domain),
    );
  }
  if (!HOST.test(value) || FILE_NAME.test(value)) return null;
  const host = value.toLowerCase().replace(/\.?(?::\d{1,5})?$/, '');
  return new LazyPlace(
    findOwner(host, ''),
    () => host,
    () => isAnonymous(host),
  );
}

function readImage(value: string): Place | null {
  if (!value.includes('/') || ADDRESS_RANGE.test(value) || MEDIA_TYPE.test(value)) return null;
  const match = IMAGE.exec(value);
  if (match === null) return null;
  const host = match[1]!.toLowerCase();
  const findWhole = () => `${host}${match[2]}`;
  if (!host.includes('.')) return new LazyPlace(`docker.io/${host}`, findWhole);
  return new LazyPlace(findOwner(host.replace(/:\d{1,5}$/, ''), match[2]!), findWhole, () => isAnonymous(host));
}

function withoutVersion(path: string): string {
  return path.replace(VERSION, '$1');
}

/** Whether a place is a tunnel, a request bin or a free host that anyone can register. */
export function isAnonymousHost(value: MaybeJson): boolean {
  return readPlace(value)?.anonymous ?? false;
}

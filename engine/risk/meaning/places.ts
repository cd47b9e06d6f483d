import type { MaybeJson } from '../../changes/values.ts';

/** Where a value points to: everything but the version of what is there. */
export interface Place {
  /** The part that decides who owns the place: a host, an account, a project, a subscription. */
  owner: string;
  /** The whole place without a tag, digest, revision or query. */
  whole: string;
}

const URL =
  /^[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s/@]{1,200}@)?(\[[0-9a-f:.]{2,45}\]|[^\s/:?#@]{1,253})(?::\d{1,5})?([^\s?#]{0,500})/i;
const ARN = /^arn:[a-z-]{2,20}:([a-z0-9-]{1,40}):[a-z0-9-]{0,30}:(\d{12}|aws)?:(.{1,500})$/;
const GOOGLE_PATH = /(?:^|\/)(projects|folders|organizations)\/([^/\s]{1,100})(\/.{0,400})?$/;
const AZURE_ID = /^\/subscriptions\/([0-9a-f-]{36})(\/.{0,500})?$/i;
const IMAGE =
  /^((?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}(?::\d{1,5})?|[a-z0-9._-]{1,60})((?:\/[a-z0-9._-]{1,100}){1,8})(?::[\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?$/;
const HOST = /^(?=.{4,253}(?::|$))(?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,24}\.?(?::\d{1,5})?$/i;
const EMAIL = /^[^\s@]{1,100}@((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})$/i;
/** A version at the end of a path: `:42`, `/versions/7`, `-1.2.3.zip`, `v20260102`. */
const VERSION =
  /(?:[:@/_-]v?\d[\w.+-]{0,60}|\/versions\/[\w.-]{1,60}|[:@/_-](?:latest|stable|main|prod)|[:@/_-][0-9a-f]{7,64})(\.[a-z]{2,4}(?:\.[a-z]{2,3})?)?$/i;

/** Reads a URL, ARN, resource path, image, host name or mail address; null for any other value. */
export function readPlace(value: MaybeJson): Place | null {
  if (typeof value !== 'string' || value.length < 4 || value.length > 2000) return null;
  return readUrl(value) ?? readArn(value) ?? readCloudPath(value) ?? readAddress(value) ?? readImage(value);
}

function readUrl(value: string): Place | null {
  const match = URL.exec(value);
  if (match === null) return null;
  const host = match[1]!.toLowerCase();
  return { owner: ownerOfHost(host), whole: host + withoutVersion(match[2] ?? '') };
}

function readArn(value: string): Place | null {
  const match = ARN.exec(value);
  if (match === null) return null;
  const [, service = '', account = '', resource = ''] = match;
  return { owner: account, whole: `${service}:${account}:${withoutVersion(resource)}` };
}

function readCloudPath(value: string): Place | null {
  const azure = AZURE_ID.exec(value);
  if (azure !== null) return { owner: azure[1]!.toLowerCase(), whole: withoutVersion(value.toLowerCase()) };
  const google = GOOGLE_PATH.exec(value);
  return google === null ? null : { owner: google[2]!, whole: withoutVersion(google[0]) };
}

function readAddress(value: string): Place | null {
  const mail = EMAIL.exec(value);
  if (mail !== null) return { owner: ownerOfHost(mail[1]!.toLowerCase()), whole: value.toLowerCase() };
  if (!HOST.test(value)) return null;
  const host = value.toLowerCase().replace(/\.?(?::\d{1,5})?$/, '');
  return { owner: ownerOfHost(host), whole: host };
}

function readImage(value: string): Place | null {
  const match = IMAGE.exec(value);
  if (match === null) return null;
  const host = match[1]!;
  return { owner: host.includes('.') ? ownerOfHost(host) : host, whole: `${host}${match[2]}` };
}

function withoutVersion(path: string): string {
  return path.replace(VERSION, '$1');
}

/** Domains under which everybody can have a name, so the name before them decides. */
const SHARED = new Set(
  'co.uk,com.au,co.jp,com.br,co.in,gov.uk,ac.uk,org.uk,github.io,herokuapp.com,azurewebsites.net'.split(','),
);
const REGISTRY = /^(\d{12})\.dkr\.ecr\./;

/** The registered domain of a host; for a registry of AWS, its account. */
function ownerOfHost(host: string): string {
  const account = REGISTRY.exec(host)?.[1];
  if (account !== undefined) return account;
  const labels = host.split('.');
  const last_two = labels.slice(-2).join('.');
  return SHARED.has(last_two) ? labels.slice(-3).join('.') : last_two;
}

/** Services that give everybody an address on the internet without a contract. */
const ANONYMOUS =
  /(?:^|\.)(?:ngrok(?:-free)?\.(?:io|app|dev)|webhook\.site|requestbin\.(?:com|net)|pipedream\.net|beeceptor\.com|hookbin\.com|burpcollaborator\.net|oast\.(?:pro|live|site|online|fun|me)|interact\.sh|trycloudflare\.com|loca\.lt|serveo\.net|localtunnel\.me|pastebin\.com|transfer\.sh|file\.io|duckdns\.org|no-ip\.(?:com|org)|dyndns\.org|rbndr\.us|nip\.io|sslip\.io|workers\.dev|glitch\.me|repl\.co|replit\.(?:app|dev)|onrender\.com|surge\.sh|netlify\.app|vercel\.app)$/;

/** Whether a place is a tunnel, a request bin or a free host that anyone can register. */
export function isAnonymousHost(value: MaybeJson): boolean {
  if (typeof value !== 'string') return false;
  const host = URL.exec(value)?.[1] ?? (HOST.test(value) ? value : undefined);
  return host !== undefined && ANONYMOUS.test(host.toLowerCase());
}

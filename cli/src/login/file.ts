import { constants } from 'node:fs';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from '../failure.ts';
import { runUninterrupted } from './interrupt.ts';
import { withLock } from './lock.ts';

/** Tokens of an OpenID Connect provider, with everything needed to renew them. */
export interface OidcCredential {
  kind: 'oidc';
  issuer: string;
  client_id: string;
  /** Extra parameters, sent again with each renewal. */
  parameters: Record<string, string>;
  access_token: string;
  /** When the access token expires, in milliseconds since 1970; null if the provider does not say. */
  expires_at: number | null;
  refresh_token: string | null;
}

export interface ApiKeyCredential {
  kind: 'api_key';
  api_key: string;
}

/** The stored login: one service and its credential. */
export interface Login {
  /** The only service that the credential is sent to. */
  url: string;
  email: string;
  org_id: string | null;
  org_slug: string | null;
  credential: OidcCredential | ApiKeyCredential;
}

const OPEN_TO_OTHERS = 0o077;

/**
 * The path of the login file.
 *
 * @see XDG Base Directory Specification: a relative XDG_CONFIG_HOME counts as unset
 */
export function resolveLoginPath(): string {
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.config'), 'dpa', 'config.json');
}

/**
 * @returns undefined if there is no login
 * @throws Failure if other users can read the file, or it is not a login file
 */
export async function readLogin(): Promise<Login | undefined> {
  const path = resolveLoginPath();
  const text = await readPrivate(path);
  if (text === undefined) return undefined;
  const login = parseLogin(text);
  if (login === undefined) throw new Failure(`${path} is not a valid login file; run \`dpa login\` to replace it`);
  return login;
}

/** Writes a temporary file and renames it, so that a reader or an interruption never sees a partial file. */
export async function writeLogin(login: Login): Promise<void> {
  const path = resolveLoginPath();
  const draft = `${path}.${process.pid}.tmp`;
  await createFolder(path);
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(login, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export async function removeLogin(): Promise<void> {
  await rm(resolveLoginPath(), { force: true });
}

/** Ensures that one process at a time changes the login, and is not interrupted. */
export async function withLoginLock<T>(work: () => Promise<T>): Promise<T> {
  await createFolder(resolveLoginPath());
  return runUninterrupted(() => withLock(`${resolveLoginPath()}.lock`, work));
}

async function createFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  // An existing folder can have wider permissions.
  if (made === undefined) await chmod(folder, 0o700);
}

async function readPrivate(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY);
    try {
      await assertPrivate(path, (await file.stat()).mode);
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function assertPrivate(path: string, mode: number): Promise<void> {
  if (process.platform === 'win32') return;
  if ((mode & OPEN_TO_OTHERS) !== 0) {
    throw new Failure(
      `other users can read ${path}, which contains a token: run \`chmod 600 ${path}\`, and log in again if the token may have leaked`,
    );
  }
  const folder = dirname(path);
  // A user who can write to the folder can replace the file.
  if (((await stat(folder)).mode & 0o022) !== 0) {
    throw new Failure(`other users can write to ${folder}, where the login is stored: run \`chmod 700 ${folder}\``);
  }
}

function parseLogin(text: string): Login | undefined {
  try {
    const login = JSON.parse(text) as Login;
    return typeof login.url === 'string' && readToken(login) !== undefined ? login : undefined;
  } catch {
    return undefined;
  }
}

function readToken({ credential }: Login): string | undefined {
  if (credential.kind === 'api_key') return asString(credential.api_key);
  return asString(credential.issuer) && asString(credential.client_id) && asString(credential.access_token);
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../ports.ts';

export interface Azurite {
  port: number;
  close(): Promise<void>;
}

export interface AzuriteOptions {
  account: string;
  tls: { key: string; cert: string };
}

/** Microsoft's emulator of Azure Blob Storage with one account, which accepts OAuth tokens over TLS. */
export async function startAzurite({ account, tls }: AzuriteOptions): Promise<Azurite> {
  const folder = await mkdtemp(join(tmpdir(), 'dpa-azurite-'));
  const [key_file, cert_file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await Promise.all([writeFile(key_file, tls.key), writeFile(cert_file, tls.cert)]);
  const port = await findFreePort();
  const key = Buffer.from('a key that is not secret').toString('base64');
  const script = join(process.cwd(), 'node_modules/azurite/dist/src/blob/main.js');
  const args = ['--blobPort', String(port), '--key', key_file, '--cert', cert_file];
  const flags = [
    '--silent',
    '--oauth',
    'basic',
    '--skipApiVersionCheck',
    '--disableTelemetry',
    '--inMemoryPersistence',
  ];
  const child = spawn(process.execPath, [script, ...args, ...flags], {
    env: { ...process.env, AZURITE_ACCOUNTS: `${account}:${key}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await started(child);

  async function close(): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  }
  return { port, close };
}

/** Keeps reading the output, so that it never fills its pipe. */
async function started(child: ChildProcess): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('successfully listens')) resolve();
    });
    child.once('exit', () => reject(new Error(`Azurite did not start: ${text}`)));
  });
}

/** A token as Microsoft Entra ID issues it, without a valid signature, which Azurite does not check. */
export function createEntraToken({ expires_at, audience = 'https://storage.azure.com' }: TokenOptions): string {
  const exp = Math.floor(expires_at.getTime() / 1_000);
  const iss = 'https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/';
  const parts = [
    { alg: 'RS256', typ: 'JWT' },
    { aud: audience, iss, nbf: exp - 3_600, iat: exp - 3_600, exp },
  ];
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.c2lnbmF0dXJl`;
}

export interface TokenOptions {
  expires_at: Date;
  audience?: string;
}

import type { LockedBucket, LockedBuckets } from '../../adapters/locked-bucket/types.ts';
import type { CommitOnce } from '../../adapters/scm/files/types.ts';
import type { PlatformError } from '../../adapters/scm/types.ts';
import type { ColumnSealer } from '../../db/index.ts';
import { NotFound } from '../../lib/errors.ts';
import type { OpenedAccount } from '../cloud-accounts/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import type { TargetFile } from './destination-file.ts';
import { bucketKeySeals } from './seals.ts';
import { type BucketTarget, DestinationFailure, type RepositoryTarget, type Target } from './types.ts';

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 45_000;

const NO_ACCOUNT = 'The cloud account is disabled or deleted, or is not one of AWS. Choose another one.';
const NO_CONFIG =
  'The webhook configuration is disabled or deleted, or is not that of a repository. Choose another one.';
const NO_TOKEN = 'The webhook configuration has no active API token. Set one.';
const ADVICE: Partial<Record<PlatformError['error_class'], string>> = {
  gone: 'The repository or the branch does not exist, or the token may not write to it.',
  forbidden:
    'The token needs the permission Contents with read and write access (GitHub), or the scope api and the role Developer (GitLab).',
  rejected: 'The branch does not exist, or does not accept commits of this token, for example because it is protected.',
};

export interface SendingDeps {
  sealer: ColumnSealer;
  buckets: LockedBuckets;
  commitOnce: CommitOnce;
  /** Disabled ones included. @throws NotFound */
  openAccount: (org_id: string, account_id: string) => Promise<OpenedAccount>;
  /** The repository of a webhook configuration; undefined if it is disabled, deleted, or not a repository. */
  findRepository: Webhooks['configs']['access'];
  now: () => Date;
}

/** A target, and the row to which its secret is bound. */
export interface SendingTarget {
  id: string;
  org_id: string;
  target: Target;
  secret_access_key_ct: Uint8Array | null;
}

/** Stores files at destinations. A file that is sent twice is stored once. */
export function createSending({ sealer, buckets, commitOnce, openAccount, findRepository, now }: SendingDeps) {
  /** @throws DestinationFailure */
  async function send(to: SendingTarget, file: TargetFile): Promise<void> {
    if (await converting(() => store(to, file))) return;
    throw new DestinationFailure(`There is another file at "${file.path}". Find out who wrote it, and move it away.`);
  }

  /**
   * Sends a file whose text can differ from that of an earlier release, and confirms that a bucket has Object Lock.
   *
   * @throws DestinationFailure
   */
  async function test(to: SendingTarget, file: TargetFile): Promise<void> {
    await converting(async () => {
      const { target } = to;
      if (target.kind === 's3') await (await openBucket(to, target)).assertLock(AbortSignal.timeout(TIMEOUT_MS));
      await store(to, file);
    });
  }

  /** @returns false if there is another file */
  async function store(to: SendingTarget, file: TargetFile): Promise<boolean> {
    const { target, org_id } = to;
    return target.kind === 's3' ? lock(await openBucket(to, target), target, file) : commit(org_id, target, file);
  }

  async function lock(bucket: LockedBucket, { lock_mode: mode, lock_days }: BucketTarget, { path, text }: TargetFile) {
    const until = new Date(now().getTime() + lock_days * DAY_MS);
    return bucket.putOnce(path, text, { lock: { mode, until }, signal: AbortSignal.timeout(TIMEOUT_MS) });
  }

  async function openBucket(to: SendingTarget, target: BucketTarget): Promise<LockedBucket> {
    return buckets.open(target, await openAccess(to, target));
  }

  async function openAccess({ org_id, id, secret_access_key_ct }: SendingTarget, target: BucketTarget) {
    const { cloud_account_id, access_key_id } = target;
    if (cloud_account_id !== null) return openOwnAccount(org_id, cloud_account_id);
    const secret = secret_access_key_ct && bucketKeySeals(sealer, org_id, id).open(secret_access_key_ct);
    const keys = { access_key_id: access_key_id ?? '', secret_access_key: secret ?? '' };
    return { credentials: { credential_type: 'aws_access_key' as const, ...keys }, token_subject: '' };
  }

  async function openOwnAccount(org_id: string, account_id: string): Promise<OpenedAccount> {
    const account = await openAccount(org_id, account_id).catch((error: unknown) => {
      if (error instanceof NotFound) return undefined;
      throw error;
    });
    if (account?.enabled && account.provider === 'aws') return account;
    throw new DestinationFailure(NO_ACCOUNT);
  }

  async function commit(
    org_id: string,
    { webhook_config_id, branch }: RepositoryTarget,
    file: TargetFile,
  ): Promise<boolean> {
    const access = await findRepository(org_id, webhook_config_id);
    if (access === undefined) throw new DestinationFailure(NO_CONFIG);
    const { api_token, api_token_status } = access;
    if (api_token === null || api_token_status !== 'active') throw new DestinationFailure(NO_TOKEN);
    return commitOnce({ ...access, api_token }, { ...file, branch });
  }

  return { send, test };
}

export type Sending = ReturnType<typeof createSending>;

/** @throws DestinationFailure; what is a fault of this service stays as it is */
async function converting<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    throw error instanceof Error ? toFailure(error) : error;
  }
}

function toFailure(error: Error): Error {
  if (error.name === 'BucketError') return new DestinationFailure(error.message, null, { cause: error });
  if (error.name === 'TimeoutError') return new DestinationFailure('The destination did not respond in time.');
  if (error.name !== 'PlatformError') return error;
  const { error_class, message, retry_after } = error as PlatformError;
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const advice = ADVICE[error_class];
  return new DestinationFailure(advice === undefined ? sentence : `${sentence} ${advice}`, retry_after, {
    cause: error,
  });
}

import type {
  StateAccess,
  StateBackend,
  StateBackendReason,
  StateFolder,
  StateLocation,
} from '../../server/adapters/state-backend/types.ts';
import { StateBackendError } from '../../server/adapters/state-backend/types.ts';

/** Text that a careless backend repeats in its errors. */
export const BACKEND_TEXT = 'AccessDenied: token atlasv1.canary is not allowed here';

/** Where a state is stored, as one text: `s3:bucket/key`, `gcs:bucket/object`, `azure_blob:account/container/blob`. */
export function placeText(location: StateLocation): string {
  if (location.kind === 's3') return `s3:${location.bucket}/${location.key}`;
  if (location.kind === 'gcs') return `gcs:${location.bucket}/${location.object}`;
  if (location.kind === 'azure_blob') return `azure_blob:${location.account}/${location.container}/${location.blob}`;
  return `tfc:${location.endpoint ?? ''}/${location.workspace}`;
}

/**
 * A state backend in memory. Like the real ones, it streams in chunks, lists in byte order, and fails with the errors of
 * the interface: always, in the middle of a body, or until it is repaired.
 */
export function createFakeStateBackend() {
  const states = new Map<string, string>();
  const fetches: { place: string; access: StateAccess | null }[] = [];
  const lists: StateFolder[] = [];
  let fault: StateBackendReason | undefined;
  let cut_after: number | undefined;
  let held: Promise<void> = Promise.resolve();

  function assertWorking(): void {
    if (fault !== undefined) {
      const cause = new Error(BACKEND_TEXT);
      throw new StateBackendError(fault, `the backend failed: ${fault.replaceAll('_', ' ')}`, { cause });
    }
  }

  async function* stream(text: string): AsyncIterable<Uint8Array> {
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += 1_000) {
      if (cut_after !== undefined && from >= cut_after) {
        throw new StateBackendError('unreachable', 'the connection ended before the whole state arrived; try again');
      }
      yield bytes.subarray(from, from + 1_000);
    }
  }

  const backend: StateBackend = {
    fetch_timeout_ms: 10_000,
    async fetch(location, access, signal) {
      const place = placeText(location);
      fetches.push({ place, access });
      await held;
      signal.throwIfAborted();
      assertWorking();
      const text = states.get(place);
      if (text === undefined) throw new StateBackendError('not_found', 'the state does not exist; check its location');
      return { body: stream(text), etag: null };
    },

    async list(folder, _access, { max }) {
      lists.push(folder);
      await held;
      assertWorking();
      const [kind, start] =
        folder.provider === 'gcp'
          ? (['gcs', folder.bucket] as const)
          : folder.provider === 'aws'
            ? (['s3', folder.bucket] as const)
            : (['azure_blob', `${folder.storage_account}/${folder.bucket}`] as const);
      const keys = [...states.keys()]
        .filter((place) => place.startsWith(`${kind}:${start}/`))
        .map((place) => place.slice(kind.length + start.length + 2))
        .filter((key) => key.startsWith(folder.prefix) && key.endsWith('.tfstate'));
      return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).slice(0, max + 1);
    },
  };

  return {
    backend,
    states,
    /** Every request, also of failed ones. */
    fetches,
    lists,
    /** Fails every request from now on; undefined repairs it. */
    failWith(reason: StateBackendReason | undefined) {
      fault = reason;
    },
    /** Cuts bodies after this number of bytes; undefined repairs it. */
    cutAfter(bytes: number | undefined) {
      cut_after = bytes;
    },
    /** Holds requests until the returned function is called. */
    hold(): () => void {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

export type FakeStateBackend = ReturnType<typeof createFakeStateBackend>;

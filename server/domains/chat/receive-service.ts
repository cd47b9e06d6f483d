import type { ServiceDeps } from '../../contract/service-deps.ts';
import { ServiceError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { type RequestKind, readIncoming } from '../../lib/slack-request.ts';
import type { ReceivedHeaders } from '../webhooks/index.ts';
import type { Intake } from './intake.ts';
import { appNotConfigured } from './no-app.ts';
import { sealBody } from './seals.ts';
import { checkSlackSender } from './signature.ts';
import { findOrgOfTeam } from './store.ts';

/** The response that Slack reads. */
export interface SlackReply {
  challenge?: string;
  response_type?: 'ephemeral';
  text?: string;
}

/** A request of Slack whose body is being received. */
export interface SlackReception {
  update(chunk: Uint8Array): void;
  /** @returns stores the request, if it is needed. @throws ServiceError 401 `signature_invalid` */
  end(raw: Buffer): () => Promise<SlackReply>;
}

export interface SlackReceiverDeps extends Pick<ServiceDeps, 'platform_db' | 'sealer' | 'now'> {
  /** Secret with which Slack signs; null if the deployment has no app. */
  signing_secret: string | null;
  intake: Intake;
}

const UNLINKED =
  'This workspace is not connected to an organization. An owner or admin can connect it in the settings of the organization.';

export function createSlackReceiver(deps: SlackReceiverDeps) {
  const { platform_db, sealer, signing_secret, intake, now } = deps;
  /** Lookups that have not ended, which requests of the same workspace share. */
  const lookups = new Map<string, Promise<string | undefined>>();

  /**
   * Opens a request before its body is read.
   *
   * @throws ServiceError 503 `chat_not_configured`, 401 `signature_invalid`
   */
  function open(kind: RequestKind, headers: ReceivedHeaders): SlackReception {
    if (signing_secret === null) throw appNotConfigured();
    const check = checkSlackSender(signing_secret, headers, now());
    if (check === undefined) throw invalidSignature();
    return {
      update: check.update,
      end(raw) {
        if (!check.isGenuine()) throw invalidSignature();
        return () => accept(kind, raw);
      },
    };
  }

  /** Stores a request once, however often it arrives. Nothing that takes time is done before the response. */
  async function accept(kind: RequestKind, raw: Buffer): Promise<SlackReply> {
    const incoming = readIncoming(kind, raw);
    if (incoming.what === 'challenge') return { challenge: incoming.challenge };
    if (incoming.what === 'nothing') return {};
    const { team_id, request_key, body } = incoming;
    const org_id = await findOrg(team_id);
    if (org_id === undefined) return kind === 'command' ? tell(UNLINKED) : {};
    const id = newId();
    const body_ct = sealBody(sealer, { org_id, id }, body);
    await intake.store(org_id, { id, kind, team_id, request_key, body_ct, created_at: now() });
    return kind === 'command' ? tell('One moment …') : {};
  }

  async function findOrg(team_id: string): Promise<string | undefined> {
    const running = lookups.get(team_id);
    if (running !== undefined) return running;
    const lookup = findOrgOfTeam(platform_db, team_id).finally(() => lookups.delete(team_id));
    lookups.set(team_id, lookup);
    return lookup;
  }

  return { open };
}

export type SlackReceiver = ReturnType<typeof createSlackReceiver>;

/** A message that only the person sees. */
function tell(text: string): SlackReply {
  return { response_type: 'ephemeral', text };
}

function invalidSignature(): ServiceError {
  return new ServiceError(401, 'signature_invalid', 'the request is not signed with the secret of the Slack app');
}

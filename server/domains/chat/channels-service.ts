import type { Workspace } from '../../adapters/slack/types.ts';
import { ChatError } from '../../lib/chat-error.ts';
import { InvalidInput, Unavailable } from '../../lib/errors.ts';
import type { Workspaces } from './workspace-service.ts';

/** What Slack lists at most in one page. */
const PER_PAGE = 1_000;
/** The permission to post in public channels that the app is not in. */
const POST_ANYWHERE = 'chat:write.public';
/** The largest workspaces have more channels; there the ID is needed. */
const MOST_PAGES = 50;
/** The caller waits while Slack does. */
const MOST_WAITED_MS = 10_000;

type Channel = Awaited<ReturnType<Workspace['listChannels']>>['channels'][number];

export interface ChannelsDeps {
  workspaces: Pick<Workspaces, 'open'>;
  /** Waits some milliseconds. */
  wait: (ms: number) => Promise<unknown>;
}

/** Names of channels, which their owners can change, as IDs, which stay. */
export function createChannels({ workspaces, wait }: ChannelsDeps) {
  /**
   * The channel as it is stored: `#name` becomes an ID if the organization has a workspace; all else stays as it is.
   *
   * @param field named in errors
   * @throws InvalidInput `channel_not_found`, `not_in_channel`; Unavailable if Slack does not answer now
   */
  async function resolve<Given extends string | null | undefined>(
    org_id: string,
    channel: Given,
    field: string,
  ): Promise<Given | string> {
    if (typeof channel !== 'string' || !channel.startsWith('#')) return channel;
    try {
      const opened = await workspaces.open(org_id);
      if (opened === undefined) return channel;
      const found = await find(opened.workspace, channel.slice(1).toLowerCase());
      if (found === undefined) throw notFound(field, channel);
      const can_post = found.is_member || (!found.is_private && opened.installation.scopes.includes(POST_ANYWHERE));
      if (!can_post) throw notMember(field, channel);
      return found.id;
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      if (!error.is_final) throw new Unavailable(`${error.message}; try again`, { cause: error });
      throw new InvalidInput(`${field}: "${channel}" cannot be looked up: ${error.message}`, 'channel_not_found');
    }
  }

  async function find(workspace: Workspace, name: string): Promise<Channel | undefined> {
    const patience = { left_ms: MOST_WAITED_MS };
    let cursor: string | null = null;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page: Awaited<ReturnType<Workspace['listChannels']>> = await list(workspace, cursor, patience);
      const found = page.channels.find((channel) => channel.name.toLowerCase() === name);
      if (found !== undefined || page.next_cursor === null) return found;
      cursor = page.next_cursor;
    }
    return undefined;
  }

  /** Repeats a page that Slack does not give yet, as long as it asks for little patience. */
  async function list(workspace: Workspace, cursor: string | null, patience: { left_ms: number }) {
    for (;;) {
      try {
        return await workspace.listChannels(cursor, PER_PAGE);
      } catch (error) {
        const wait_ms = error instanceof ChatError ? error.retry_after_ms : null;
        if (wait_ms === null || wait_ms > patience.left_ms) throw error;
        patience.left_ms -= Math.max(wait_ms, 1);
        await wait(wait_ms);
      }
    }
  }

  return { resolve };
}

export type Channels = ReturnType<typeof createChannels>;

function notFound(field: string, channel: string): InvalidInput {
  const advice = 'if it is private, invite the app first; otherwise correct the name, or give the ID of the channel';
  return new InvalidInput(`${field}: the workspace has no channel "${channel}"; ${advice}`, 'channel_not_found');
}

function notMember(field: string, channel: string): InvalidInput {
  return new InvalidInput(`${field}: the app is not in the channel "${channel}"; invite it first`, 'not_in_channel');
}

import { inertSentence } from '../../engine/index.ts';
import { describeError } from './errors.ts';
import { explain } from './explain.ts';
import { proposeFixes } from './fix.ts';
import { describeCommands } from './help.ts';
import { describeNoise } from './noise.ts';
import { previewSuppression } from './suppress.ts';
import type { Command, CommandContext, CommandReply, InvalidCommand } from './types.ts';

export interface CommandsDeps {
  now: () => Date;
  /** Address of the service for links; null if unknown. */
  app_url: string | null;
}

/** Creates the answers to commands. An answer changes nothing itself: the caller applies its `effect`. */
export function createCommands({ now, app_url }: CommandsDeps) {
  /** @throws errors other than those of a call to the service */
  async function answer(command: Command | InvalidCommand, context: CommandContext): Promise<CommandReply> {
    if ('unknown' in command) return { title: '/drift', body: inertSentence(command.unknown), effect: null };
    const title = formatTitle(command);
    try {
      return { title, body: await buildBody(command, context, now()), effect: toEffect(command) };
    } catch (error) {
      const settings_url = app_url === null ? null : `${app_url}/orgs/${context.org.slug}/settings/llm`;
      return { title, body: describeError(error, context, settings_url), effect: null };
    }
  }

  return { answer };
}

function formatTitle(command: Command): string {
  switch (command.verb) {
    case 'explain':
      return `/drift explain ${command.address}`;
    case 'suppress':
      return `/drift suppress ${command.fingerprint} ${command.duration}`;
    case 'fix':
      return `/drift fix ${command.fingerprint}`;
    case 'quiet':
      return command.on ? '/drift quiet' : '/drift quiet off';
    default:
      return `/drift ${command.verb}`;
  }
}

function toEffect(command: Command): CommandReply['effect'] {
  if (command.verb === 'rescan') return 'rescan';
  if (command.verb === 'quiet') return command.on ? 'quiet' : 'unquiet';
  return null;
}

async function buildBody(command: Command, context: CommandContext, now: Date): Promise<string> {
  switch (command.verb) {
    case 'help':
      return describeCommands();
    case 'explain':
      return explain(command.address, context.plans);
    case 'noise':
      return describeNoise(context);
    case 'suppress':
      return previewSuppression(command, context, now);
    case 'fix':
      return proposeFixes(command.fingerprint, context, now);
    case 'rescan':
      return 'The plans of the newest commit are being analyzed again with the current rules. The plan review will show the result.';
    case 'quiet':
      return command.on
        ? 'Comments are turned off for this pull request. The check is still updated. To turn comments on again, use `/drift quiet off`.'
        : 'Comments are turned on for this pull request.';
  }
}

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
  /** Where people find the service; null where that is not known. */
  app_url: string | null;
}

/** Answers to commands. Nothing is changed by one: what has an effect is left to whoever asked, told in `effect`. */
export function createCommands({ now, app_url }: CommandsDeps) {
  /** @throws what is no error of a call to the service */
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
      return 'The plans of the newest commit are judged again, under the rules as they are now. The plan review will show the result.';
    case 'quiet':
      return command.on
        ? 'This pull request gets no further comments. The check goes on; `/drift quiet off` brings the comments back.'
        : 'This pull request gets comments again.';
  }
}

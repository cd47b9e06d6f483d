import { type Command, Option } from 'commander';

/** Adds the options of every command that uses a service. */
export function withConnection(command: Command): Command {
  return command
    .option('--org <org>', 'slug or ID of the organization (DPA_ORG)')
    .option('--url <url>', 'address of the service (DPA_URL)')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'));
}

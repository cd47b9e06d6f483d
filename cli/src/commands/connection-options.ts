import { type Command, Option } from 'commander';

/** The options with which a command finds the service and the organization, and the output format. */
export function withConnection(command: Command): Command {
  return command
    .option('--org <org>', 'slug or ID of the organization (DPA_ORG)')
    .option('--url <url>', 'address of the service (DPA_URL)')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'));
}

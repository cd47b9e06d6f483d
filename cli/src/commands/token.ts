import { type ConnectionOptions, openService } from '../connection.ts';

/** Prints only the credential, so that `TOKEN=$(dpa token)` works. */
export async function printToken(options: ConnectionOptions): Promise<void> {
  const { credential } = await openService(options);
  process.stdout.write(`${await credential()}\n`);
}

import { assertDataFolder, EMBEDDED_DATABASE } from '../data-folder.ts';
import { buildEnvironment, type ServerOptions } from '../environment.ts';
import { Failure } from '../failure.ts';

export interface TraceReplayOptions extends Pick<ServerOptions, 'dataDir'> {
  format: 'text' | 'json';
}

/** Exit code if something differs; 1 means that the trace could not be compared. */
const EXIT_DIFFERENT = 2;

/**
 * Rebuilds the prompt of a call and parses its answer again, from the configured stores or from those in the data folder.
 * Prints the differences and sets the exit code.
 */
export async function replay(id: string, { format, ...options }: TraceReplayOptions): Promise<void> {
  const trace_id = id.trim().toLowerCase();
  if (!/^trc-[0-9a-f]{24}$/.test(trace_id)) throw new Failure(`"${id}" is not a trace ID: use trc- and 24 hex digits`);
  const outcome = await replayStored(trace_id, options);
  if ('why' in outcome) throw new Failure(`${trace_id} cannot be replayed: ${outcome.why}`);
  if (outcome.verdict !== 'same') process.exitCode = outcome.verdict === 'different' ? EXIT_DIFFERENT : 1;
  process.stdout.write(format === 'json' ? `${JSON.stringify(outcome, null, 2)}\n` : render(trace_id, outcome));
}

type ReplayOutcome = Awaited<ReturnType<typeof replayStored>>;

async function replayStored(id: string, options: Pick<ServerOptions, 'dataDir'>) {
  const { loadConfig } = await import('../../../server/config/index.ts');
  const { createLogger } = await import('../../../server/log.ts');
  const { openStores } = await import('../../../server/stores.ts');
  const { createScans } = await import('../../../server/domains/scans/index.ts');
  const { replayTrace } = await import('../../../server/domains/traces/index.ts');
  const config = loadConfig(buildEnvironment(options));
  if (config.database === null) assertDataFolder(config.data_dir, EMBEDDED_DATABASE);
  const stores = await openStores(config, createLogger(config, process.stderr));
  try {
    const scans = createScans({ ...stores, now: () => new Date(), getOrgPlan: async () => 'enterprise' });
    return await replayTrace({ ...stores, scans }, id);
  } finally {
    await stores.close();
  }
}

function render(id: string, { verdict, trace, steps, not_compared }: Exclude<ReplayOutcome, { why: string }>): string {
  const lines = steps.flatMap(({ name, differences }) => [
    `${differences.length === 0 ? 'same     ' : 'different'}  ${name}`,
    ...differences.flatMap(({ at, stored, now }) => [
      `           ${at || '(whole value)'}`,
      `             stored  ${stored}`,
      `             now     ${now}`,
    ]),
  ]);
  if (not_compared !== null) lines.push(`skipped    ${not_compared}`);
  const { kind, prompt_version, model } = trace;
  return `${id}: ${kind}, prompt ${prompt_version}, ${model ?? 'no model'}\n${lines.join('\n')}\nverdict: ${verdict}\n`;
}

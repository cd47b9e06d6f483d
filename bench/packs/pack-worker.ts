/**
 * Builds a small pack, one of many scans, and one of a long audit log. Then reads and compresses the many scans in a plain
 * loop.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createDeflateRaw } from 'node:zlib';
import { openPackDraft } from '../../server/adapters/pack-archive/index.ts';
import { createSummaryRenderer } from '../../server/adapters/pack-pdf/index.ts';
import { openDatabase, openOrgDatabase } from '../../server/db/index.ts';
import { createVerifier } from '../../server/domains/audit/verify-service.ts';
import { createCheckpointCreation } from '../../server/domains/checkpoints/create-service.ts';
import { createBuilder } from '../../server/domains/compliance-packs/build-service.ts';
import { readScans } from '../../server/domains/compliance-packs/evidence-store.ts';
import { createLogger } from '../../server/log.ts';
import type { PackFigures } from './pack-bench.ts';

const PERIOD = { period_start: new Date('2026-01-01T00:00:00Z'), period_end: new Date('2027-01-01T00:00:00Z') };
const NO_SIGNAL = new AbortController().signal;
const SAMPLE_MS = 20;
const MB = 1_048_576;

const [url = '', folder = '', small = '', large = '', audited = ''] = process.argv.slice(2);
const log = createLogger({ log_level: 'error' });
const tenants = openOrgDatabase({ url, max: 2, log });
const platform = openDatabase({ url, max: 1, log });
const databases = { db: tenants.db, platform_db: platform.db, sweep_db: platform.db };
const { walkChain } = createVerifier({ ...databases, now: () => new Date() });
const build = createBuilder({
  db: tenants.db,
  openDraft: () => openPackDraft(folder),
  renderSummary: createSummaryRenderer(),
  walkChain,
  checkpoints: createCheckpointCreation({
    ...databases,
    ...{ walkChain, log, signer: null, now: () => new Date(), sendCheckpoint: async () => {} },
  }),
  describeLocation: () => null,
});

/** @returns the size of the ZIP */
async function buildPack(org_id: string): Promise<number> {
  const claim = { id: org_id, org_id, ...PERIOD, attempts: 1, started_at: PERIOD.period_end };
  return build(claim, NO_SIGNAL, async ({ bytes }) => bytes);
}

/** The reference: one cursor, the rows as JSON and as CSV, hashed, compressed and written. */
async function runLoop(org_id: string): Promise<void> {
  const outputs = ['json', 'csv'].map((name) => {
    const deflate = createDeflateRaw({ level: 6 });
    const written = pipeline(deflate, createWriteStream(join(folder, `loop.${name}`)));
    return { deflate, written, hash: createHash('sha256') };
  });
  await tenants.db.snapshotInOrg(org_id, async (trx) => {
    for await (const rows of readScans({ trx, org_id, period: PERIOD })) {
      const texts = [
        rows.map((row) => JSON.stringify(row)).join(',\n'),
        rows.map((row) => Object.values(row).join(',')).join('\r\n'),
      ];
      for (const [place, { deflate, hash }] of outputs.entries()) {
        hash.update(texts[place] ?? '');
        if (!deflate.write(texts[place])) await new Promise((resolve) => deflate.once('drain', resolve));
      }
    }
  });
  for (const { deflate, written } of outputs) {
    deflate.end();
    await written;
  }
}

async function measureCpu(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** @returns the growth over `idle` bytes, in megabytes */
async function measurePeak(idle: number, run: () => Promise<unknown>): Promise<number> {
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, SAMPLE_MS);
  await run();
  clearInterval(timer);
  return (peak - idle) / MB;
}

function report(what: string): void {
  console.error(`${what}, ${(process.uptime() / 60).toFixed(1)} minutes after the start`);
}

let artifact_mb = 0;
let pack_ms = 0;
await buildPack(small);
const idle = process.memoryUsage.rss();
const growth_mb = await measurePeak(idle, async () => {
  pack_ms = await measureCpu(async () => {
    artifact_mb = (await buildPack(large)) / MB;
  });
});
report('the pack of many scans is built');
const audited_growth_mb = await measurePeak(idle, () => buildPack(audited));
report('the pack of a long audit log is built');
await runLoop(small);
const loop_ms = await measureCpu(() => runLoop(large));
await Promise.all([tenants.close(), platform.close()]);
process.send?.({ pack_ms, loop_ms, growth_mb, audited_growth_mb, artifact_mb } satisfies PackFigures);

/** Builds the pack of an organization in each of the given time zones, and prints the SHA-256 of each. */
import { openPackDraft } from '../../server/adapters/pack-archive/index.ts';
import { createSummaryRenderer } from '../../server/adapters/pack-pdf/index.ts';
import { openDatabase, openOrgDatabase } from '../../server/db/index.ts';
import { createVerifier } from '../../server/domains/audit/verify-service.ts';
import { createCheckpointCreation } from '../../server/domains/checkpoints/create-service.ts';
import { createBuilder } from '../../server/domains/compliance-packs/build-service.ts';
import { createLogger } from '../../server/log.ts';
import { PERIOD } from './period.ts';

const [url = '', org_id = '', ...zones] = process.argv.slice(2);
const log = createLogger({ log_level: 'error' });
const now = () => new Date();
const tenants = openOrgDatabase({ url, max: 2, log });
const platform = openDatabase({ url, max: 1, log });
const databases = { db: tenants.db, platform_db: platform.db };
const { walkChain } = createVerifier({ ...databases, sweep_db: platform.db, now });
const build = createBuilder({
  db: tenants.db,
  openDraft: () => openPackDraft(),
  renderSummary: createSummaryRenderer(),
  walkChain,
  checkpoints: createCheckpointCreation({
    ...databases,
    ...{ walkChain, log, signer: null, now, sendCheckpoint: async () => {} },
  }),
  describeLocation: () => null,
});

const claim = { id: org_id, org_id, ...PERIOD, attempts: 1, started_at: PERIOD.period_end };
for (const zone of zones) {
  process.env['TZ'] = zone;
  const sha256 = await build(claim, new AbortController().signal, async (built) => built.sha256);
  console.log(sha256);
}
await Promise.all([tenants.close(), platform.close()]);

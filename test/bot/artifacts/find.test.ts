import { describe, expect, jest, test } from '@jest/globals';
import { createFindPlans } from '../../../bot/artifacts/index.ts';
import type { ArchiveOptions } from '../../../bot/artifacts/types.ts';
import { openArchive } from '../../../server/adapters/plan-pool/archive.ts';
import { type ArtifactRef, PlatformError, type PlatformErrorClass } from '../../../server/adapters/scm/types.ts';
import { createZip } from '../../fakes/zip.ts';

const MIB = 1_048_576;
const RUN = { id: '7', number: 1, head_sha: 'a'.repeat(40), url: 'https://ci.example/7' };
const PLAN = '{"format_version":"1.2","resource_changes":[]}';
const log = { info: () => undefined };

type Content = Buffer | PlatformErrorClass;

/** The plans found in a run with these artifacts. */
async function found(
  artifacts: Record<string, Content>,
  options: { text?: string; sizes?: Record<string, number>; unpacked_bytes?: number } = {},
) {
  const opened: ArchiveOptions[] = [];
  const reader = {
    openArchive: async (_org_id: string, zip: Uint8Array, asked: ArchiveOptions) => {
      opened.push(asked);
      const archive = await openArchive({ task: 'archive', zip, options: asked });
      return { ...archive, unpacked_bytes: options.unpacked_bytes ?? archive.unpacked_bytes };
    },
  };
  const downloadArtifact = jest.fn(async (_repo: string, { name }: ArtifactRef) => {
    const content = artifacts[name]!;
    if (typeof content === 'string') throw new PlatformError(content, 'no');
    return content;
  });
  const listArtifacts = async () =>
    Object.keys(artifacts).map((name, i) => ({ id: String(i), name, size: options.sizes?.[name] ?? null }));
  const findPlans = createFindPlans({ reader, log });
  const plans = await findPlans({ listArtifacts, downloadArtifact }, REPO, RUN, options.text ?? null);
  return { plans, rows: plans.map(({ plan_key, error }) => [plan_key, error ?? 'ok']), opened, downloadArtifact };
}

const REPO = { org_id: '019b7a10-0000-7000-8000-000000000003', path: 'acme/infra' };

describe('the plans of a run', () => {
  test('have keys of artifact and path, for one or many plans', async () => {
    const artifacts = {
      'tfplan-net': await createZip({ 'tfplan.json': PLAN }),
      plans: await createZip({ 'db/tfplan.json': PLAN, 'dns/tfplan.json': PLAN }),
      coverage: await createZip({ 'tfplan.json': PLAN }),
    };
    const { rows, plans } = await found(artifacts);

    expect(rows).toEqual([
      ['plans/db/tfplan.json', 'ok'],
      ['plans/dns/tfplan.json', 'ok'],
      ['tfplan-net/tfplan.json', 'ok'],
    ]);
    expect(plans[0]).toMatchObject({ plan_hash: plans[2]!.plan_hash, payload: expect.any(Uint8Array) });
  });

  test('are searched with the settings of the repository, whose errors are reported', async () => {
    const artifacts = {
      infra: await createZip({ 'a.json': PLAN, 'b.json': PLAN }),
      plan: await createZip({ 'c.json': PLAN }),
    };

    expect((await found(artifacts, { text: 'artifacts: [infra/b.json]' })).rows).toEqual([['infra/b.json', 'ok']]);
    expect((await found(artifacts, { text: 'artifacts: 1' })).rows).toEqual([
      ['plan/c.json', 'ok'],
      ['.drift.yml', expect.stringContaining('.drift.yml is not used')],
    ]);
    expect((await found({ lint: artifacts.plan }, { text: 'artifacts: 1' })).rows).toEqual([]);
  });

  test('have unique keys', async () => {
    const artifacts = { 'plan/a': await createZip({ 'b.json': PLAN }), plan: await createZip({ 'a/b.json': PLAN }) };

    expect((await found(artifacts)).rows).toEqual([
      ['plan/a/b.json', 'ok'],
      ['plan/a/b.json (2)', 'ok'],
    ]);
  });
});

describe('an artifact that cannot be read', () => {
  test('is an error among the plans of the other artifacts', async () => {
    const artifacts: Record<string, Content> = {
      'plan-a': 'gone',
      'plan-b': 'too_large',
      'plan-c': Buffer.from('x'),
      'plan-d': Buffer.from('x'),
      'plan-e': await createZip({ 'a.json': PLAN }),
    };
    const { rows, downloadArtifact } = await found(artifacts, { sizes: { 'plan-d': 50 * MIB + 1 } });

    expect(rows).toEqual([
      ['plan-a', 'The artifact was deleted or has expired: run the workflow again.'],
      ['plan-b', 'The artifact is larger than 50 MiB: upload the plans in a separate artifact.'],
      ['plan-c', 'The archive cannot be read: it is damaged, or not a ZIP file.'],
      ['plan-d', 'The artifact is larger than 50 MiB: upload the plans in a separate artifact.'],
      ['plan-e/a.json', 'ok'],
    ]);
    expect(downloadArtifact.mock.calls.map(([, { name }]) => name)).not.toContain('plan-d');
  });

  test.each<PlatformErrorClass>(['rate_limited', 'unavailable', 'forbidden', 'rejected'])(
    'with the error %s ends the search, which can be repeated',
    async (error_class) => {
      await expect(found({ plan: error_class })).rejects.toMatchObject({ error_class });
    },
  );
});

describe('over all artifacts of a run', () => {
  test('at most 20 plans are read, and the first unread artifact is reported for the rest', async () => {
    const zip = await createZip(Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i}.json`, PLAN])));
    const { rows, downloadArtifact } = await found({ plan1: zip, plan2: zip, plan3: zip, plan4: zip, plan5: zip });

    expect(rows.filter(([, error]) => error === 'ok')).toHaveLength(20);
    expect(rows.slice(-2)).toEqual([
      ['plan3', '4 more plans not read; the limit is 4.'],
      [
        'plan4',
        'The artifact was not read: dpa reads at most 20 plans with 50 MiB in total per run. Also not read: "plan5".',
      ],
    ]);
    expect(downloadArtifact).toHaveBeenCalledTimes(3);
  });

  test('at most 50 MiB are unpacked', async () => {
    const zip = await createZip({ 'a.json': PLAN });
    const { rows, opened } = await found({ plan1: zip, plan2: zip, plan3: zip }, { unpacked_bytes: 30 * MIB });

    expect(opened.map(({ max_bytes }) => max_bytes / MIB)).toEqual([50, 20]);
    expect(rows.map(([key]) => key)).toEqual(['plan1/a.json', 'plan2/a.json', 'plan3']);
  });
});

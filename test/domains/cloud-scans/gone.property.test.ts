import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FakeAccount, fakeFault, fakePart, fakeResource } from '../../fakes/cloud/adapter.ts';
import { type CloudScansUnderTest, setUpCloudScans } from './setup.ts';

let under: CloudScansUnderTest;
beforeAll(async () => {
  under = await setUpCloudScans();
});
afterAll(() => under.database.close());

const REGIONS: (string | null)[] = ['eu-west-1', 'us-east-1', null];
const FILTERS: string[][] = [[], [], ['eu-west-1'], ['us-east-1']];
const RESOURCES = ['a', 'b', 'c', 'd'];

/** How one scan meets one part: which resources are there, and what happens while it is read. */
const meeting = fc.record({
  present: fc.subarray(RESOURCES),
  ends: fc.constantFrom('whole', 'whole', 'denied', 'truncated', 'absent'),
});
const round = fc.record({
  parts: fc.tuple(meeting, meeting, meeting),
  filter: fc.constantFrom(...FILTERS),
});

/** A resource as the model knows it. */
interface Known {
  gone: boolean;
  unseen: number;
}

test('a resource is gone if and only if its part was read completely without it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
      const { owner, org } = await under.makeOwner('team');
      const account = await under.makeAccount(owner, org);
      const model = new Map<string, Known>();
      for (const { parts, filter } of rounds) {
        under.clouds.aws.account.parts = REGIONS.flatMap((region, at): FakeAccount['parts'] => {
          const { present, ends } = parts[at]!;
          if (ends === 'absent') return [];
          const resources = present.map((name) => fakeResource(`${region}/${name}`, { region }));
          const pages = [resources.slice(0, 2), resources.slice(2)];
          const part = fakePart('AWS::SQS::Queue', region);
          if (ends === 'denied') return [{ part, pages, ends_with: fakeFault('access_denied', 'Denied.') }];
          return [{ part, pages, faults: ends === 'truncated' ? [fakeFault('truncated', 'Cut.')] : [] }];
        });
        for (const [at, region] of REGIONS.entries()) {
          const { present, ends } = parts[at]!;
          const is_read = ends !== 'absent' && (filter.length === 0 || region === null || filter.includes(region));
          if (!is_read) continue;
          for (const name of RESOURCES) {
            const known = model.get(`${region}/${name}`);
            if (present.includes(name)) model.set(`${region}/${name}`, { gone: false, unseen: 0 });
            else if (known !== undefined && ends === 'whole') {
              model.set(`${region}/${name}`, { gone: true, unseen: known.unseen + 1 });
            }
          }
        }
        under.pass(1_000);
        await under.scan(owner, org, account.id, filter);
      }
      const stored = (await under.resources(account.id)).map((row): [string, Known] => [
        row.provider_resource_id,
        { gone: row.gone_at !== null, unseen: row.unseen_scans },
      ]);
      expect(new Map(stored)).toEqual(model);
    }),
    { numRuns: 25 },
  );
});

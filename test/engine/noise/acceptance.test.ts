import { expect, test } from '@jest/globals';
import { type Acceptance, analyzePlan, type Change, predictAcceptance } from '../../../engine/index.ts';
import { NO_RULES, type RuleBook } from '../../../engine/model/rule-book.ts';

const KEY = Buffer.alloc(32, 7);
const DROPPED = { from_port: 0, to_port: 0, protocol: '-1', cidr_blocks: ['0.0.0.0/0'] };

function update(address: string, before: object, after: object, more: object = {}) {
  const [type, name] = address.split('.');
  const change = { actions: ['update'], before, after, after_unknown: {}, ...more };
  return { address, mode: 'managed', type, name, provider_name: 'registry.terraform.io/hashicorp/aws', change };
}

const PLAN = JSON.stringify({
  format_version: '1.2',
  resource_changes: [
    update('aws_glue_job.one', { timeout: 80 }, { timeout: 90 }),
    update('aws_glue_job.two', { timeout: 80, max_retries: 1 }, { timeout: 90, max_retries: 2 }),
    update('aws_glue_job.known', { timeout: 80 }, { timeout: '80' }),
    update('aws_glue_job.beside', { timeout: 80, tags: { a: 1 } }, { timeout: '80', tags: { a: 2 } }),
    update(
      'aws_glue_job.secret',
      { timeout: 80, glue_version: 'x' },
      { timeout: '80', glue_version: 'y' },
      {
        after_sensitive: { glue_version: true },
        before_sensitive: { glue_version: true },
      },
    ),
    update('aws_security_group.open', { ingress: [] }, { ingress: [DROPPED] }),
    update('aws_iam_role.open', { assume_role_policy: '{}' }, { assume_role_policy: '{"Statement":[]}' }),
  ],
});

function accepting(fingerprint: string, address: string): RuleBook {
  const suppression = (candidate: string, at: string) => (candidate === fingerprint && at === address ? 's' : null);
  return { ...NO_RULES, hasSuppressions: (at) => at === address, suppression };
}

const analyze = (book: RuleBook) => analyzePlan(PLAN, { noise_key: KEY, book });
const isNoise = ({ noise }: Change) => noise.classification !== 'novel' && !noise.overridden;

/** The real effect of suppressing each pattern of each change. */
function outcomes(): { address: string; predicted: Acceptance; hidden: boolean }[] {
  return analyze(NO_RULES).changes.flatMap((change) =>
    change.noise.fingerprints.map((fingerprint) => {
      const after = analyze(accepting(fingerprint, change.address)).changes.find(({ id }) => id === change.id);
      return { address: change.address, predicted: predictAcceptance(change), hidden: isNoise(after as Change) };
    }),
  );
}

test('the predicted effect of a suppression matches its real effect', () => {
  const all = outcomes();

  expect(all.length).toBeGreaterThanOrEqual(8);
  for (const { predicted, hidden } of all) {
    if (predicted === 'unsure') continue;
    expect({ foreseen: predicted, hidden }).toEqual({
      foreseen: predicted,
      hidden: predicted === 'hides' || predicted === 'is_noise',
    });
  }
  expect(new Map(all.map(({ address, predicted }) => [address, predicted]))).toEqual(
    new Map<string, Acceptance>([
      ['aws_glue_job.one', 'hides'],
      ['aws_glue_job.two', 'differs'],
      ['aws_glue_job.known', 'is_noise'],
      ['aws_glue_job.beside', 'unsure'],
      ['aws_glue_job.secret', 'unsure'],
      ['aws_security_group.open', 'guarded'],
      ['aws_iam_role.open', 'hides'],
    ]),
  );
});

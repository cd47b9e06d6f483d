import { describe, expect, test } from '@jest/globals';
import { DpaApiError, DpaConnectionError, DpaJobError, DpaTimeoutError } from '../../../sdk/src/index.ts';
import { aDiff } from '../../engine/noise/builders.ts';
import { aChange, anAnalysis, aReason, aReplace } from '../../engine/render/builders.ts';
import {
  aClient,
  aContext,
  aNoisyChange,
  anOption,
  answerFixes,
  answerLine,
  answerPatterns,
  aPattern,
  aPlan,
  FINGERPRINT,
} from './fixtures.ts';

const OTHER = `${FINGERPRINT.slice(0, 10)}${'0'.repeat(22)}`;

describe('/drift explain', () => {
  const database = aReplace('module.db.aws_db_instance.main["a b"]', {
    replace_paths: ['engine_version'],
    reverts_drift: { kind: 'revert', paths: ['tags.owner'], paths_total: 1 },
    attributes: [
      { ...aDiff('timeout', 'old-secret', 'new-secret'), noise: 'known_benign' },
      { ...aDiff('engine_version', '1', '2'), forces_replacement: true, direction: 'weakening' },
    ],
    attributes_total: 40,
  });
  database.risk.reasons = [aReason('Data is lost.', { rule_id: 'R-AWS-001', path: 'engine_version' })];
  const context = aContext([aPlan([database, aChange('aws_sqs_queue.jobs'), aChange('aws_sqs_queue.mail')])]);

  test('shows action, level, reasons, cause, reversal and attributes, and only values that affect the level', async () => {
    const { title, body, effect } = await answerLine('/drift explain `module.db.aws_db_instance.main["a b"]`', context);

    expect({ title, effect }).toEqual({ title: '/drift explain module.db.aws_db_instance.main["a b"]', effect: null });
    expect(body).toContain('`module.db.aws_db_instance.main["a b"]`: **replace**, level **high**.');
    expect(body).toContain('- Replaced because of a change to `engine_version`.');
    expect(body).toContain('- This apply reverts a change made outside of IaC `tags.owner`.');
    expect(body).toContain(
      '- **high** by `R-AWS-001` at `engine_version`: Data is lost. (`engine_version`: `"1"` → `"2"`)',
    );
    expect(body).toContain('| `engine_version` | update, **forces replacement** | **weakening** | no |');
    expect(body.indexOf('`timeout`')).toBeGreaterThan(body.indexOf('| `engine_version`'));
    expect(body).toContain('… and 38 more');
    expect(body).not.toContain('secret');
  });

  test('shows the concerns of a language model about the address, apart from the reasons', async () => {
    const concern = { path: 'timeout', category: 'outage', level: 'high', before: 60, after: 1 } as const;
    const about = (address: string, sentence: string) => ({ ...concern, address, sentence });
    const concerns = [about('aws_lb.a', 'Slow answers fail.'), about('aws_lb.b', 'Not about this one.')];
    const analysis = { ...anAnalysis([aChange('aws_lb.a', { level: 'low' }), aChange('aws_lb.b')]), concerns };

    const { body } = await answerLine('/drift explain aws_lb.a', aContext([{ key: 'a.json', analysis }]));

    expect(body).toContain('level **low**.');
    expect(body).toContain('Concerns of the language model. These come from a language model, not from rules.');
    expect(body).toContain('**Outage, high:** `aws_lb.a`. Slow answers fail. (`timeout`: `60` → `1`)');
    expect(body).not.toContain('Not about this one');
  });

  test('finds the only address that ends with the text or contains it', async () => {
    expect((await answerLine('/drift explain main["a b"]', context)).body).toContain('**replace**');
    expect((await answerLine('/drift explain db_instance', context)).body).toContain('**replace**');
  });

  test('suggests matching addresses for an inexact text, and similar ones if none match', async () => {
    const several = await answerLine('/drift explain aws_sqs_queue', context);
    const none = await answerLine('/drift explain aws_sqs_queue.mial', context);

    expect(several.body).toContain(
      '2 changes match `aws_sqs_queue`:\n\n- `aws_sqs_queue.jobs`\n- `aws_sqs_queue.mail`',
    );
    expect(none.body).toMatch(/^`aws_sqs_queue.mial` is not among the listed changes/);
    expect(none.body).toContain('Similar addresses:\n\n- `aws_sqs_queue.mail`');
  });

  test('lists the plans in which a missing change could be', async () => {
    const cut = { key: 'cut', analysis: anAnalysis([], { changes_truncated: true }) };
    const { body } = await answerLine('/drift explain aws_x.y', aContext([cut, { key: 'pending', analysis: null }]));

    expect(body).toContain('no result yet for `pending`');
    expect(body).toContain('omit changes of lower risk: `cut`');
  });

  test('explains an address once for each plan that has it', async () => {
    const plans = [aPlan([aChange('aws_x.y')], 'a'), aPlan([aChange('aws_x.y', { level: 'low' })], 'b')];
    const { body } = await answerLine('/drift explain aws_x.y', aContext(plans));

    expect(body).toContain('`aws_x.y` in `a`: **update**, level **high**');
    expect(body).toContain('`aws_x.y` in `b`: **update**, level **low**');
  });
});

describe('/drift noise', () => {
  test('lists the recurring patterns of these plans, most frequent first, with full fingerprints', async () => {
    const dpa = aClient(
      answerPatterns(
        aPattern({ fingerprint: 'f'.repeat(32), occurrence_count: 90 }),
        aPattern({ occurrence_count: 5, first_seen: '2025-11-02T03:04:05.678Z' }),
        aPattern({ occurrence_count: 7, suppressed: true }),
        aPattern({ fingerprint: OTHER, occurrence_count: 40, matched_custom_rule_id: 'own' }),
      ),
    );
    const changes = [
      aNoisyChange('aws_x.a', [FINGERPRINT, '1'.repeat(32)]),
      aNoisyChange('aws_x.b', [FINGERPRINT, OTHER]),
    ];
    const { body } = await answerLine('/drift noise', aContext([aPlan(changes)], { dpa }));

    const rows = body.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toEqual([
      `| \`tags_all\` | \`aws_x.b\` | \`own\` | 40 times since \`2025-12-02\` | \`${OTHER}\` |`,
      `| \`tags_all\` | \`aws_x.a\` and 1 more | no rule, suppressed | 7 times since \`2025-11-02\` | \`${FINGERPRINT}\` |`,
    ]);
    expect(body).toContain('1 other pattern does not recur so far.');
  });

  test('sends no request if no change has a pattern', async () => {
    const { body } = await answerLine('/drift noise', aContext([aPlan([aChange('aws_x.a')])]));
    expect(body).toBe('No change in this pull request has a pattern that could be noise.');
  });
});

describe('/drift suppress', () => {
  const one = { attributes: [aDiff('timeout', 80, 90)] };
  const guarded = aNoisyChange('aws_x.guarded', [FINGERPRINT], one);
  guarded.risk.guarded = true;
  const changes = [
    aNoisyChange("aws_x.a['1']", [FINGERPRINT], one),
    aNoisyChange('aws_x.b', [FINGERPRINT], { attributes: [aDiff('timeout', 80, 90), aDiff('name', 'a', 'b')] }),
    guarded,
    aNoisyChange('aws_x.c', [OTHER]),
  ];

  test('shows what would be hidden, until when, and the command, quoted for a shell', async () => {
    const line = `/drift suppress ${FINGERPRINT.slice(0, 12)} 30d It's $(rm) "known" !`;
    const { body, effect } = await answerLine(line, aContext([aPlan(changes)]));

    expect(effect).toBeNull();
    expect(body).toContain('This is a preview.');
    expect(body).toContain('until 2026-02-01 03:04 UTC');
    expect(body).toContain("- `aws_x.a['1']` in `infra/plan.json`: hidden\n");
    expect(body).toContain('- `aws_x.b` in `infra/plan.json`: still shown: other attributes differ too\n');
    expect(body).toContain('- `aws_x.guarded` in `infra/plan.json`: still counts in full');
    expect(body).toContain(
      `\`\`\`sh\ndpa noise suppress ${FINGERPRINT} --for 30d --reason 'It'\\''s $(rm) "known" !' --org acme --address 'aws_x.a['\\''1'\\'']' --address aws_x.b\n\`\`\``,
    );
  });

  test('shows no command if it would have no effect', async () => {
    const { body } = await answerLine(`/drift suppress ${FINGERPRINT} forever known`, aContext([aPlan([guarded])]));

    expect(body).toContain('until someone deletes the suppression');
    expect(body).toContain('A suppression would have no effect here.');
    expect(body).not.toContain('dpa noise suppress');
  });

  test('reports a prefix that matches no pattern or several', async () => {
    const context = aContext([aPlan(changes)]);

    expect((await answerLine('/drift suppress 00000000 7d why', context)).body).toMatch(
      /^No change in this pull request has/,
    );
    expect((await answerLine('/drift suppress 664a69e7 7d why', context)).body).toContain(
      `- \`${OTHER}\`\n- \`${FINGERPRINT}\``,
    );
  });

  test('keeps the command valid if very many changes have the pattern', async () => {
    const many = Array.from({ length: 500 }, (_, i) =>
      aNoisyChange(`aws_x.${'y'.repeat(200)}${i}`, [FINGERPRINT], one),
    );
    const { body } = await answerLine(`/drift suppress ${FINGERPRINT} 90d why`, aContext([aPlan(many)]));

    expect(body).toMatch(/```sh\ndpa noise suppress [^\n]+\n```/);
    expect(body).toMatch(/… and \d+ more changes\./);
    expect(body).toMatch(/\d+ more addresses do not fit/);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8_000);
  });
});

describe('/drift fix', () => {
  const plans = [aPlan([aNoisyChange('aws_glue_job.a', [FINGERPRINT])])];

  test('shows the options in order, with their code', async () => {
    const asked: unknown[] = [];
    const second = anOption({ rank: 2, kind: 'suppress', label: 'Ignore it', patch: null });
    const dpa = aClient({
      ...answerFixes(second, anOption()),
      generateNoiseFix: (p) => asked.push(p) && { job_id: 'j' },
    });
    const { body } = await answerLine('/drift fix 664a69e7', aContext(plans, { dpa }));

    expect(asked).toEqual([expect.objectContaining({ path: expect.objectContaining({ fingerprint: FINGERPRINT }) })]);
    expect(body.indexOf('**2. Ignore it**')).toBeGreaterThan(body.indexOf('**1. Write what is there**'));
    expect(body).toContain('Replace:\n\n```hcl\ntimeout = 90\n```\n\nWith:\n\n```hcl\ntimeout = 80\n```');
    expect(body).toContain('- Disadvantage: None known');
  });

  test('returns the same job within an hour', async () => {
    const keys = new Set<string>();
    const generateNoiseFix = ({ headers }: { headers: Record<string, string> }) => {
      keys.add(headers['Idempotency-Key'] ?? '');
      throw new DpaTimeoutError('getLlmJob', 'req-1', 30_000, 'j');
    };
    const context = aContext(plans, { dpa: aClient({ generateNoiseFix }) });
    const replies = [
      await answerLine('/drift fix 664a69e7', context),
      await answerLine(`/drift fix ${FINGERPRINT}`, context),
    ];

    expect(keys).toEqual(new Set([`drift-fix-${FINGERPRINT}-2026-01-02T03`]));
    for (const { body } of replies)
      expect(body).toMatch(/not ready yet\. Comment `\/drift fix 664a.*again in a minute/);
  });

  const refusal = (status: number, more: { body?: unknown; retry_after?: number } = {}) =>
    new DpaApiError({
      operation: 'generateNoiseFix',
      status,
      request_id: 'req-1',
      retry_after: undefined,
      body: {},
      ...more,
    });
  const quota = { code: 'plan_weekly_quota_exhausted', week_resets_at: '2026-01-05T00:00:00.000Z', error_class: 'x' };
  const job = { job_id: 'j', kind: 'fix', status: 'error', error: 'evil', created_at: '', finished_at: null } as const;

  test.each<[string, Error, RegExp]>([
    [
      '402',
      refusal(402, { body: quota }),
      /until 2026-01-05 00:00 UTC\. With \[its own model account\]\(https:\/\/dpa\.example\.com\/orgs\/acme\/settings\/llm\)/,
    ],
    ['402 of a plan that is off', refusal(402, { body: { ...quota, code: 'plan_hard_off' } }), /quota\. With/],
    ['429', refusal(429, { retry_after: 1800 }), /Try again in 30 minutes\./],
    ['403', refusal(403), /key of this integration is not valid/],
    ['404', refusal(404), /not known in the organization/],
    ['409', refusal(409), /already running/],
    ['422', refusal(422, { body: { error: 'evil', error_class: 'unprocessable' } }), /status 422/],
    ['a proxy', refusal(502, { body: '<html>evil</html>' }), /is not available\. Try again in a few minutes/],
    [
      'no connection',
      new DpaConnectionError('generateNoiseFix', 'req-1', new Error('evil')),
      /did not respond in time/,
    ],
    ['a failed job', new DpaJobError(job, 'req-1'), /The job failed/],
  ])('reports %s with a fixed text and the request ID', async (_what, error, words) => {
    const generateNoiseFix = () => {
      throw error;
    };
    const { body, effect } = await answerLine(
      `/drift fix ${FINGERPRINT}`,
      aContext(plans, { dpa: aClient({ generateNoiseFix }) }),
    );

    expect(effect).toBeNull();
    expect(body).toMatch(words);
    expect(body).toMatch(/\(request `req-1`\)$/);
    expect(body).not.toContain('evil');
  });

  test('rethrows a bug of the program', async () => {
    const generateNoiseFix = () => {
      throw new TypeError('x is undefined');
    };
    const asked = answerLine(`/drift fix ${FINGERPRINT}`, aContext(plans, { dpa: aClient({ generateNoiseFix }) }));
    await expect(asked).rejects.toThrow(TypeError);
  });
});

test.each([
  ['/drift rescan', 'rescan', /analyzed again/],
  ['/drift quiet', 'quiet', /Comments are turned off/],
  ['/drift quiet off', 'unquiet', /Comments are turned on/],
  ['/drift help', null, /\| `\/drift fix <fingerprint>` \| Ways to fix a pattern/],
  ['/drift hlep', null, /Did you mean \/drift help\?/],
])('%s has the effect %s and reports it', async (line, effect, words) => {
  expect(await answerLine(line, aContext([]))).toMatchObject({ effect, body: expect.stringMatching(words) });
});

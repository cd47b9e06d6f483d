import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { analyzePlan, type PlanAnalysis } from '../../engine/index.ts';
import { resultDocument } from '../../server/pages/result/result-page.ts';
import type { RunFacts } from '../../server/pages/result/run.ts';

const HOSTILE = `</code></style><script>alert(1)</script><img src=x onerror=alert(1)>"' onclick="x" [a](javascript:alert(1)) \u202etxt\u0007`;
const RUN: RunFacts = {
  id: '019b7a10-0000-7000-8000-000000000005',
  org_id: '019b7a10-0000-7000-8000-000000000003',
  repo: 'acme/infra',
  repo_url: 'https://github.com/acme/infra.git',
  pr_number: 12,
  branch: 'storage',
  commit_sha: 'a'.repeat(40),
  created_at: '2026-01-02T03:04:05.678Z',
  finished_at: '2026-01-02T03:04:06.678Z',
};
const analyzeDemo = () => analyzePlan(readFileSync('cli/demo/plan.json'));
const extractBody = (page: string) => page.split('</style>')[1] ?? '';

/** Replaces every text of a record at any depth, except the values that control the page. */
function poisonTexts<T>(value: T, key = ''): T {
  if (typeof value === 'string') return (CONTROL_KEYS.has(key) ? value : HOSTILE) as T;
  if (Array.isArray(value)) return value.map((item) => poisonTexts(item, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, poisonTexts(member, name)])) as T;
}
const CONTROL_KEYS = new Set([
  'id',
  'risk_level',
  'level',
  'action',
  'actions',
  'op',
  'kind',
  'effect',
  'classification',
  'created_at',
  'finished_at',
  'org_id',
  'same',
  'narrative_status',
]);

test('a resource that scans found to be public is named at the top and in its row, as text', () => {
  const analysis = analyzeDemo();
  const [first, ...others] = analysis.changes;
  const facts = { rule_id: 'R-NET-OPEN', message: HOSTILE, group_id: HOSTILE, later_scan_failed: false };
  const exposure = { ...facts, seen_at: '2026-01-02T01:04:05.678Z' };
  const live = { as_of: '2026-01-02T03:04:05.678Z', drift: null, exposure };
  const body = extractBody(resultDocument({ ...analysis, changes: [{ ...first!, live }, ...others] }, RUN));

  expect(body.match(/which is open to the internet \(seen 2 hours ago\)/g)?.length).toBeGreaterThan(1);
  expect(body).toContain('<strong>In the cloud:</strong>');
  expect(body).not.toContain('<script>');
});

describe('hostile text', () => {
  const TAGS = /<(\/?[a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"<>]*"|\s+(?:required))*)\s*>/g;
  const OURS = new Set(
    'html head meta title style body main br h1 h2 h3 p div span strong em code bdi a ul ol li dl dt dd time article details summary table thead tbody tr th td'.split(
      ' ',
    ),
  );
  const ATTRIBUTES = new Set([
    'lang',
    'charset',
    'name',
    'content',
    'class',
    'href',
    'rel',
    'datetime',
    'scope',
    'aria-hidden',
  ]);

  test('in every field of a result and its run becomes text: no element, attribute or address of its own', () => {
    const page = resultDocument(poisonTexts(analyzeDemo() as PlanAnalysis), {
      ...poisonTexts(RUN),
      repo_url: 'javascript:alert(1)',
    });

    const left = page
      .replace(/<style>.*?<\/style>/s, '')
      .replace('<!doctype html>', '')
      .replace(TAGS, (_, name, attributes) => {
        expect(OURS).toContain(name.replace('/', ''));
        for (const [, attribute] of attributes.matchAll(/\s([a-z-]+)="[^"]*"/g))
          expect(ATTRIBUTES).toContain(attribute);
        return '';
      });
    expect(left).not.toMatch(/[<>]/);
    expect(page).not.toMatch(/href="(?!https:)/);
    for (const acting of ['\u202e', '\u0007']) expect(page).not.toContain(acting);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('\\u{202e}txt\\u{7}');
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'https://ana:hunter2@github.com/acme/infra',
    'no address',
    'vbscript:x',
  ])('in the address of a repository is never a link: %s', (repo_url) => {
    const page = extractBody(resultDocument(analyzeDemo() as PlanAnalysis, { ...RUN, repo_url }));

    expect(page).not.toContain('href=');
    expect(page).not.toContain('hunter2');
  });

  test('in a narrative is no link, image, heading or HTML', () => {
    const narrative =
      '# a\n\n[b](https://evil.example)\n\n![c](https://evil.example/x.png)\n\n<https://evil.example>\n\n<b>d</b>\n\n- `e`\n- **f**';
    const page = extractBody(
      resultDocument({ ...(analyzeDemo() as PlanAnalysis), narrative }, { ...RUN, repo_url: null }),
    );

    expect(page).toContain('<p># a</p>');
    expect(page).toContain('&lt;b&gt;d&lt;/b&gt;');
    expect(page).toContain('<li><code>e</code></li>\n<li><strong>f</strong></li>');
    expect(page).not.toMatch(/<a |<img|<b>/);
  });
});

describe('a page', () => {
  const page = extractBody(resultDocument(analyzeDemo() as PlanAnalysis, RUN));

  test('says the verdict in words, the counts of changes and of noise, and where the plan comes from', () => {
    expect(page).toContain('<h1>Plan result: critical risk</h1>');
    expect(page).toContain('critical risk</span>');
    expect(page).toContain('28 changes: 2 to delete, 3 to replace, 16 to update, 5 to create, 1 to import, 1 to move.');
    expect(page).toContain('Known noise: 7. Novel: 21. Suppressed: 0.');
    expect(page).toContain('href="https://github.com/acme/infra/pull/12"');
    expect(page).toContain('<h2>Not evaluated</h2>');
  });

  test('lists changes in the order of the comment, each with both sides of its attributes', () => {
    const addresses = [...page.matchAll(/<h3><code><bdi>([^<]+)/g)].map(([, address]) => address);

    expect(addresses.slice(0, 2)).toEqual(['module.database.aws_db_instance.main', 'aws_security_group.bastion']);
    expect(page).toContain(
      '<tr><th scope="row"><code><bdi>storage_encrypted</bdi></code> <strong>forces replacement</strong></th><td><code><bdi>false</bdi></code></td><td><code><bdi>true</bdi></code></td></tr>',
    );
  });

  test('lists below a document what differs inside it', () => {
    const analysis = analyzeDemo() as PlanAnalysis;
    const [diff] = analysis.changes[0]!.attributes;
    diff!.inside = [{ path: 'Statement[0].Action', before: null, after: ['s3:*', '<b>'] }];

    expect(resultDocument(analysis, RUN)).toContain(
      `<code><bdi>${diff!.path}</bdi></code> › <code><bdi>Statement[0].Action</bdi></code></th>` +
        '<td><span class="soft">not set</span></td><td><code><bdi>[&quot;s3:*&quot;,&quot;&lt;b&gt;&quot;]</bdi></code></td></tr>',
    );
  });

  test('shows withheld and unknown values as such, never empty', () => {
    expect(page).toContain('sensitive, withheld');
    expect(page).toContain('known after apply');
    expect(page).not.toMatch(/<td><\/td>/);
  });

  test.each([
    ['https://gitlab.com/acme/infra', 'https://gitlab.com/acme/infra/-/merge_requests/12'],
    ['https://gitlab.example.com/acme/infra/', 'https://gitlab.example.com/acme/infra/-/merge_requests/12'],
    ['https://github.com/acme/infra.git', 'https://github.com/acme/infra/pull/12'],
  ])('links the pull request of %s', (repo_url, address) => {
    expect(resultDocument(analyzeDemo() as PlanAnalysis, { ...RUN, repo_url })).toContain(`href="${address}"`);
  });

  test('names a pull request of an unknown host without a link', () => {
    const text = resultDocument(analyzeDemo() as PlanAnalysis, {
      ...RUN,
      repo_url: 'https://code.example.com/acme/infra',
    });

    expect(text).toContain('<dd><bdi>#12</bdi></dd>');
  });
});

describe('a result with 10,000 changes', () => {
  const long = 'x'.repeat(900);
  const resource_changes = Array.from({ length: 10_000 }, (_, index) => ({
    address: `aws_instance.web[${index}]`,
    mode: 'managed',
    type: 'aws_instance',
    name: 'web',
    index,
    provider_name: 'registry.terraform.io/hashicorp/aws',
    change: {
      actions: index < 100 ? ['delete'] : ['update'],
      before: { user_data: `${long}<${index}`, tags: { a: long } },
      after: index < 100 ? null : { user_data: `${long}>${index}`, tags: { a: `${long}&` } },
    },
  }));
  const plan = JSON.stringify({ format_version: '1.2', terraform_version: '1.9.0', resource_changes });
  const analysis = analyzePlan(Buffer.from(plan)) as PlanAnalysis;
  const page = resultDocument(analysis, RUN);

  test('makes a page of at most about one megabyte', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(1_100_000);
  });

  test('shows or counts each change', () => {
    const numberIn = (pattern: RegExp) => Number(pattern.exec(page)?.[1] ?? 0);
    const shown = page.match(/<article/g)?.length ?? 0;
    const cut = numberIn(/<li>(\d+) more changes: /);
    const unlisted = numberIn(/<li>(\d+) more changes of lower risk/);

    expect(shown).toBeGreaterThan(100);
    expect(shown + cut + unlisted).toBe(10_000);
  });
});

/** Attacks with complete requests: floods, compression bombs, and bodies that are expensive to read. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { generatePlanText } from '../../plan/plan-generator.ts';
import { GROWING_PLANS, HOSTILE_BYTES, type HostilePlan, NAMED_PLANS } from '../../plan/plan-hostile.ts';
import type { RawRequest } from '../client.ts';
import { type Attack, buildForwardedFor, flood } from './attack.ts';
import type { Target } from './target.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const ADDRESSES = 5_000;

/** Uses the organizations in turn, because each may submit a limited number of plans per hour. */
function buildAnalyzeRequest(
  target: Target,
  n: number,
  body: Buffer,
  headers: Record<string, string> = {},
): RawRequest {
  const path = `/api/v2/orgs/${target.orgs[n % target.orgs.length]}/analyze`;
  return { method: 'POST', path, headers: { ...target.headers, ...JSON_BODY, ...headers }, body };
}

export const unauthenticatedFlood = flood({ sockets: 100, per_second: 1_000 }, ({ headers: _own, ...target }, n) => {
  const headers: Record<string, string> = buildForwardedFor(n % ADDRESSES);
  if (n % 3 === 0) headers['authorization'] = `Bearer ${'x'.repeat(1_000)}`;
  if (n % 3 === 1) headers['x-api-key'] = `dpa_${randomUUID()}`;
  const paths = ['/api/v2/me', `/api/v2/orgs/${target.orgs[0]}`, '/api/v2/openapi.json', '/nothing'];
  return { method: 'GET', path: paths[n % paths.length] ?? '', headers };
});

export const authenticatedFlood = flood({ sockets: 50, per_second: 1_000 }, ({ headers, orgs }, n) => {
  const paths = ['/scans?limit=500', '/custom-rules?limit=500', '/plan-noise', '/memberships', '/llm-usage'];
  return { method: 'GET', path: `/api/v2/orgs/${orgs[n % orgs.length]}${paths[n % paths.length]}`, headers };
});

/** 25 MB compressed to 25 kB. */
const BOMB = gzipSync(Buffer.alloc(25_000_000, ' '));

export const gzipBombs = flood({ sockets: 20, per_second: 100 }, (target, n) => {
  const gzip = { 'content-encoding': 'gzip' };
  if (n % 3 === 0) return buildAnalyzeRequest(target, n, BOMB, gzip);
  const path = n % 3 === 1 ? '/api/v2/webhooks/github' : `/api/v2/webhooks/gitlab/${randomUUID()}`;
  return { method: 'POST', path, headers: { ...JSON_BODY, ...gzip, ...buildForwardedFor(n % ADDRESSES) }, body: BOMB };
});

const DEEP = [Buffer.from('['.repeat(1_000_000)), Buffer.from(`{"plan_json":${'{"a":'.repeat(200_000)}`)];

export const deepNesting = flood({ sockets: 20, per_second: 50 }, (target, n) =>
  buildAnalyzeRequest(target, n, DEEP[n % DEEP.length] ?? Buffer.alloc(0)),
);

/** About 6.8 KB of JSON per resource. */
const ORDINARY: HostilePlan = { what: 'an ordinary plan', build: (size) => generatePlanText(Math.floor(size / 6_800)) };
let large: Buffer | undefined;

export const parallelPosts = flood({ sockets: 40, per_second: 40 }, (target, n) => {
  large ??= buildBody(ORDINARY);
  return buildAnalyzeRequest(target, n, large);
});

const built = new Map<HostilePlan, Buffer>();
let shapes: HostilePlan[] | undefined;

/** Submits 5 MB plans of every known shape that is slow to analyze. */
export const hostilePlans: Attack = flood({ sockets: 8, per_second: 8 }, (target, n) => {
  shapes ??= [...NAMED_PLANS, ...GROWING_PLANS, ...loadShapes(target.shapes)];
  const shape = shapes[n % shapes.length] as HostilePlan;
  const body = built.get(shape) ?? buildBody(shape);
  built.set(shape, body);
  return buildAnalyzeRequest(target, n, body);
});

/** The largest body of this shape that the service accepts. */
function buildBody(shape: HostilePlan): Buffer {
  for (let size = HOSTILE_BYTES; ; size = Math.floor(size * 0.9)) {
    const body = Buffer.from(JSON.stringify({ plan_json: shape.build(size) }));
    if (body.length <= 5 * 1024 * 1024 || size < 100_000) return body;
  }
}

function loadShapes(module: string | null): HostilePlan[] {
  return module === null ? [] : (createRequire(import.meta.url)(module).SHAPES as HostilePlan[]);
}

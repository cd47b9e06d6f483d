import { inertName, inertSentence } from '../../engine/index.ts';
import { DpaTimeoutError, type Schemas } from '../../sdk/src/index.ts';
import { formatRequestId } from './errors.ts';
import { groupByFingerprint, matchFingerprints } from './fingerprints.ts';
import { codeBlock, oneLine, writeBody } from './markdown.ts';
import { describeAmbiguousPrefix, describeUnknownPattern } from './suppress.ts';
import type { CommandContext } from './types.ts';

type Option = Schemas['FixOption'];

const FULL_LENGTH = 32;
const TIMEOUT_MS = 30_000;
/** UTF-8 bytes. */
const MAX_PATCH = 1_500;
const MAX_PROSE = 600;
const MAX_POINTS = 3;
const KINDS: Record<Option['kind'], string> = {
  fix: 'removes the cause',
  workaround: 'avoids the difference',
  suppress: 'hides the difference',
};

/** Gets ways to fix a pattern in the order of the service; waits up to 30 seconds. */
export async function proposeFixes(prefix: string, context: CommandContext, now: Date): Promise<string> {
  const [known, ...others] = matchFingerprints(prefix, groupByFingerprint(context.plans).keys());
  if (others.length > 0 && known !== undefined) return describeAmbiguousPrefix(prefix, [known, ...others]);
  // The pattern can be known from another pull request.
  const fingerprint = known ?? (prefix.length === FULL_LENGTH ? prefix : undefined);
  if (fingerprint === undefined) return describeUnknownPattern(prefix);
  try {
    return formatFixes(fingerprint, await requestFixes(fingerprint, context, now));
  } catch (error) {
    if (error instanceof DpaTimeoutError && error.job_id !== undefined) return describePending(fingerprint, error);
    throw error;
  }
}

/** Returns the same job within an hour, so that it counts once against the quota. */
async function requestFixes(
  fingerprint: string,
  { dpa, org }: CommandContext,
  now: Date,
): Promise<Schemas['FixResult']> {
  const { job_id } = await dpa.call('generateNoiseFix', {
    path: { id: org.id, fingerprint },
    headers: { 'Idempotency-Key': `drift-fix-${fingerprint}-${now.toISOString().slice(0, 13)}` },
    retries: 0,
    timeout_ms: TIMEOUT_MS,
  });
  const { result } = await dpa.waitForJob({ org_id: org.id, job_id, kind: 'fix', timeout_ms: TIMEOUT_MS });
  return result;
}

function describePending(fingerprint: string, error: DpaTimeoutError): string {
  const again = `Comment \`/drift fix ${fingerprint}\` again in a minute. The job continues, and counts once.`;
  return `The fixes are not ready yet. ${again} ${formatRequestId(error)}`;
}

function formatFixes(fingerprint: string, { fixes, confidence }: Schemas['FixResult']): string {
  const ranked = [...fixes].sort((a, b) => a.rank - b.rank);
  const writer = confidence > 0.4 ? 'ranked by a language model' : 'ranked by rules';
  return writeBody([`Ways to fix ${inertName(fingerprint)}, best first (${writer}):`, ...ranked.map(optionText)]);
}

/** Formats an option as one text, so that it is shown completely or not at all. */
function optionText(option: Option): string {
  const { rank, kind, label, summary, detail, pros, cons, patch, target, min_provider_version } = option;
  const where = target.resource_address ?? `every ${target.resource_type}`;
  const needs =
    min_provider_version === null ? '' : ` Requires provider version ${inertName(min_provider_version)} or later.`;
  const place = `${inertName(target.attribute)} of ${inertName(where)}`;
  const points = [
    ...selectProse([summary, detail]),
    ...selectProse(pros.slice(0, MAX_POINTS)).map((point) => `Advantage: ${point}`),
    ...selectProse(cons.slice(0, MAX_POINTS)).map((point) => `Disadvantage: ${point}`),
  ];
  const head = `**${rank}. ${inertSentence(label)}** (${KINDS[kind]}): ${place}.${needs}`;
  return [head, points.map((point) => `- ${point}`).join('\n'), ...patchBlocks(patch)]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Selects texts of the service, which are safe Markdown; omits texts that are too long. */
function selectProse(markdown: readonly string[]): string[] {
  return markdown.map(oneLine).filter((text) => text !== '' && text.length <= MAX_PROSE);
}

function patchBlocks(patch: Option['patch']): string[] {
  if (patch === null) return [];
  const { before, after } = patch;
  const parts = [
    before === null ? '' : `${after === null ? 'Remove' : 'Replace'}:\n\n${patchBlock(before)}`,
    after === null ? '' : `${before === null ? 'Add' : 'With'}:\n\n${patchBlock(after)}`,
  ];
  return parts.filter((part) => part !== '');
}

function patchBlock(text: string): string {
  const written = codeBlock(text, 'hcl');
  return Buffer.byteLength(written) > MAX_PATCH ? 'Too long for a comment. Run `dpa noise fix` to see it.' : written;
}

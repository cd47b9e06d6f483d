import { inertName, inertSentence } from '../../engine/index.ts';
import { DpaTimeoutError, type Schemas } from '../../sdk/src/index.ts';
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

/** Ways to be rid of a pattern, as the service ranks them; waits half a minute for them. */
export async function proposeFixes(prefix: string, context: CommandContext, now: Date): Promise<string> {
  const [known, ...others] = matchFingerprints(prefix, groupByFingerprint(context.plans).keys());
  if (others.length > 0 && known !== undefined) return describeAmbiguousPrefix(prefix, [known, ...others]);
  // The organization may know it from elsewhere.
  const fingerprint = known ?? (prefix.length === FULL_LENGTH ? prefix : undefined);
  if (fingerprint === undefined) return describeUnknownPattern(prefix);
  try {
    return formatFixes(fingerprint, await requestFixes(fingerprint, context, now));
  } catch (error) {
    if (error instanceof DpaTimeoutError && error.job_id !== undefined)
      return describePending(fingerprint, error.request_id);
    throw error;
  }
}

/** Asked again within the hour it finds the same job, which counts once. */
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

function describePending(fingerprint: string, request_id: string): string {
  const again = `Comment \`/drift fix ${fingerprint}\` again in a minute: it goes on and counts once.`;
  return `The ways to be rid of it are still being worked out. ${again} (request ${inertName(request_id)})`;
}

function formatFixes(fingerprint: string, { fixes, confidence }: Schemas['FixResult']): string {
  const ranked = [...fixes].sort((a, b) => a.rank - b.rank);
  const writer = confidence > 0.4 ? 'a language model has put them in order' : 'by rules alone';
  return writeBody([
    `Ways to be rid of ${inertName(fingerprint)}, the best first (${writer}):`,
    ...ranked.map(optionText),
  ]);
}

/** One text, so that an option is shown whole or not at all. */
function optionText(option: Option): string {
  const { rank, kind, label, summary, detail, pros, cons, patch, target, min_provider_version } = option;
  const where = target.resource_address ?? `every ${target.resource_type}`;
  const needs =
    min_provider_version === null ? '' : ` Needs release ${inertName(min_provider_version)} of the provider.`;
  const place = `${inertName(target.attribute)} of ${inertName(where)}`;
  const points = [
    ...selectProse([summary, detail]),
    ...selectProse(pros.slice(0, MAX_POINTS)).map((point) => `for: ${point}`),
    ...selectProse(cons.slice(0, MAX_POINTS)).map((point) => `against: ${point}`),
  ];
  const head = `**${rank}. ${inertSentence(label)}** (${KINDS[kind]}): ${place}.${needs}`;
  return [head, points.map((point) => `- ${point}`).join('\n'), ...patchBlocks(patch)]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The service's own Markdown, which holds nothing that acts; left out where it is out of all proportion. */
function selectProse(markdown: readonly string[]): string[] {
  return markdown.map(oneLine).filter((text) => text !== '' && text.length <= MAX_PROSE);
}

function patchBlocks(patch: Option['patch']): string[] {
  if (patch === null) return [];
  const { before, after } = patch;
  const parts = [
    before === null ? '' : `${after === null ? 'Take out' : 'Instead of'}:\n\n${patchBlock(before)}`,
    after === null ? '' : `${before === null ? 'Add' : 'Write'}:\n\n${patchBlock(after)}`,
  ];
  return parts.filter((part) => part !== '');
}

function patchBlock(text: string): string {
  const written = codeBlock(text, 'hcl');
  return Buffer.byteLength(written) > MAX_PATCH ? 'Too long for a comment: `dpa noise fix` prints it.' : written;
}

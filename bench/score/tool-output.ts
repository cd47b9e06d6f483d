/** Reads what another tool prints about a plan: see docs/scoring.md. */
import { z } from 'zod';
import { compareLevels, RISK_LEVELS } from '../../engine/index.ts';
import type { RatedChange, Verdict } from './verdict.ts';

type Rating = Pick<Verdict, 'level' | 'refusal' | 'changes'>;

const LEVEL = z.string().toLowerCase().pipe(z.enum(RISK_LEVELS));
const CHANGE = z.object({ address: z.string(), level: LEVEL, noise: z.enum(['benign', 'novel']).optional() });
const ANSWER = z.object({ level: LEVEL, changes: z.array(CHANGE).optional() });

/** The result of `dpa analyze --format json`, in the form above. */
const ANALYSIS = z
  .object({
    risk_level: LEVEL,
    changes: z.array(
      z.object({
        address: z.string(),
        risk: z.object({ level: LEVEL }),
        noise: z.object({ classification: z.string() }),
      }),
    ),
  })
  .transform(
    ({ risk_level, changes }): z.output<typeof ANSWER> => ({
      level: risk_level,
      changes: changes.map(({ address, risk, noise }) => ({
        address,
        level: risk.level,
        noise: noise.classification === 'novel' ? 'novel' : 'benign',
      })),
    }),
  );

/** Reads a JSON object, or the level in the last line that is not empty. */
export function readToolOutput(stdout: string): Rating {
  const text = stdout.trim();
  if (text.startsWith('{')) return readObject(text);
  const last = text.slice(text.lastIndexOf('\n') + 1).trim();
  const level = LEVEL.safeParse(last);
  if (level.success) return { level: level.data, refusal: null, changes: null };
  return refuse(last === '' ? 'it printed nothing' : `its last line is no level: "${last.slice(0, 60)}"`);
}

function readObject(text: string): Rating {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('it printed invalid JSON');
  }
  const isAnalysis = typeof value === 'object' && value !== null && 'risk_level' in value;
  const answer = (isAnalysis ? ANALYSIS : ANSWER).safeParse(value);
  if (!answer.success) return refuse(`it printed JSON of another form: ${describeIssue(answer.error)}`);
  return {
    level: answer.data.level,
    refusal: null,
    changes: answer.data.changes ? indexChanges(answer.data.changes) : null,
  };
}

function describeIssue({ issues: [issue] }: z.ZodError): string {
  return `"${issue?.path.join('.')}": ${issue?.message}`;
}

/** By address. If an address is listed twice, the higher level counts. */
function indexChanges(changes: readonly z.output<typeof CHANGE>[]): Map<string, RatedChange> {
  const rated = new Map<string, RatedChange>();
  for (const { address, level, noise } of changes) {
    const known = rated.get(address);
    if (known === undefined || compareLevels(level, known.level) > 0)
      rated.set(address, { level, noise: noise ?? null });
  }
  return rated;
}

function refuse(refusal: string): Rating {
  return { level: null, refusal, changes: null };
}

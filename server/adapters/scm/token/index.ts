import type { GuardedFetch } from '../../egress/index.ts';
import { NoAnswer } from './ask-host.ts';
import { probeGithub } from './github.ts';
import { probeGitlab } from './gitlab.ts';
import type { ProbeToken } from './types.ts';

/** Validates tokens at GitHub and GitLab, through the guard against private addresses. */
export function createTokenProbe(fetch: GuardedFetch): ProbeToken {
  return async (target, token) => {
    try {
      return await (target.provider === 'github' ? probeGithub : probeGitlab)(fetch, target, token);
    } catch (error) {
      if (error instanceof NoAnswer) return { status: 'unknown', problem: error.message };
      throw error;
    }
  };
}

import { z } from 'zod';
import { PlatformError } from '../types.ts';

const id = z.int().positive();
const url = z.url({ protocol: /^https?$/ });

/** The members of GitLab's responses that are used. */
export const User = z.object({ id, username: z.string() });
export const WholeUser = z.object({ bot: z.boolean().optional() });
export const Member = z.object({ access_level: z.int(), state: z.string().optional() });

export const ListedMergeRequest = z.object({
  iid: id,
  state: z.string(),
  sha: z.string().nullish(),
  source_project_id: id.nullish(),
  target_project_id: id,
});
export const MergeRequest = z.object({
  iid: id,
  state: z.enum(['opened', 'closed', 'merged', 'locked']),
  sha: z.string().nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: id.nullish(),
  target_project_id: id,
  author: z.object({ id }).nullish(),
  web_url: url,
  diff_refs: z.object({ start_sha: z.string().nullish(), base_sha: z.string().nullish() }).nullish(),
  head_pipeline: z.object({ id, project_id: id.nullish(), sha: z.string(), ref: z.string() }).nullish(),
});
export const Version = z.object({ head_commit_sha: z.string(), created_at: z.string() });
export const Approvals = z.object({ approved_by: z.array(z.object({ user: User })).default([]) });

export const Branch = z.object({ commit: z.object({ id: z.string() }) });
export const Commit = z.object({ parent_ids: z.array(z.string()) });

export const Pipeline = z.object({ id, status: z.string(), sha: z.string(), ref: z.string(), web_url: url });
export const Job = z.object({
  id,
  name: z.string(),
  artifacts: z.array(z.object({ file_type: z.string(), size: z.int().nullish() })).default([]),
});

export const Note = z.object({
  id,
  body: z.string(),
  system: z.boolean(),
  author: z.object({ id }).nullish(),
  created_at: z.string(),
});
export const NewNote = z.object({ id });
export const CommitStatus = z.object({ id, status: z.string(), pipeline_id: id.nullish() });

/** @throws PlatformError if a response does not match GitLab's documentation; for example, a proxy sent it */
export function read<T>(shape: z.ZodType<T>, answer: unknown): T {
  const { success, data } = shape.safeParse(answer);
  if (!success) throw new PlatformError('unavailable', 'the response of GitLab has an unknown format');
  return data;
}

export function readAll<T>(shape: z.ZodType<T>, answer: unknown): T[] {
  return read(z.array(shape), answer);
}

import { createNotFound, ok, paginate, Refusal, type Reply, type RepoCall } from '../http.ts';
import { formatTimestamp, showAccount, showPull } from '../shapes.ts';
import { type Pull, readHead } from '../state.ts';

export function getPull(call: RepoCall): Reply {
  return ok(showPull(call.github, call.repo, getRequestedPull(call)));
}

export function listPulls(call: RepoCall): Reply {
  const { github, repo, query } = call;
  const state = query.get('state') ?? 'open';
  const sort = query.get('sort') === 'updated' ? 'updated_at' : 'created_at';
  const ascending = query.get('direction') === 'asc';
  const [owner, branch] = query.get('head')?.split(':') ?? [];
  const pulls = [...repo.pulls.values()]
    .filter((pull) => state === 'all' || pull.state === state)
    .filter(
      (pull) => branch === undefined || (pull.branch === branch && readHeadOwner(pull, repo.owner.login) === owner),
    )
    .sort((a, b) => (ascending ? 1 : -1) * (a[sort].getTime() - b[sort].getTime() || a.number - b.number));
  return paginate(
    call,
    `/repos/${repo.full_name}/pulls`,
    pulls.map((pull) => showPull(github, repo, pull)),
  );
}

/** Pull requests that contain the commit at any position; none for a commit that only a fork has. */
export function listPullsOfCommit(call: RepoCall): Reply {
  const { github, repo, params } = call;
  const sha = params['sha']!;
  const all = [...repo.pulls.values()];
  if (!all.some((pull) => pull.commits.includes(sha)) && !repo.runs.some((run) => run.head_sha === sha)) {
    throw new Refusal(422, `No commit found for SHA: ${sha}`);
  }
  const containing = all.filter((pull) => pull.commits.includes(sha));
  const pulls = containing.every((pull) => pull.fork !== null) ? [] : containing;
  return paginate(
    call,
    `/repos/${repo.full_name}/commits/${sha}/pulls`,
    pulls.map((pull) => showPull(github, repo, pull)),
  );
}

/** Oldest first. */
export function listReviews(call: RepoCall): Reply {
  const { github, repo } = call;
  const pull = getRequestedPull(call);
  const reviews = (repo.reviews.get(pull.number) ?? []).map((review) => ({
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: showAccount(github, review.author),
    body: '',
    state: review.state,
    commit_id: review.commit_id,
    submitted_at: formatTimestamp(review.submitted_at),
    author_association: 'MEMBER',
  }));
  return paginate(call, `/repos/${repo.full_name}/pulls/${pull.number}/reviews`, reviews);
}

/** Whether a branch or the head of a pull request contains the commit. */
export function hasCommit({ repo }: Pick<RepoCall, 'repo'>, sha: string): boolean {
  return (
    [...repo.pulls.values()].some((pull) => pull.commits.includes(sha) || pull.base_sha === sha) ||
    repo.runs.some((run) => run.head_sha === sha)
  );
}

function getRequestedPull({ repo, params }: RepoCall): Pull {
  const pull = repo.pulls.get(Number(params['number']));
  if (pull === undefined || readHead(pull) === undefined) throw createNotFound();
  return pull;
}

function readHeadOwner(pull: Pull, owner: string): string {
  return pull.fork?.split('/')[0] ?? owner;
}

import { notFound, ok, page, Refusal, type Reply, type RepoCall } from '../http.ts';
import { showAccount, showPull, stamp } from '../shapes.ts';
import { headOf, type Pull } from '../world.ts';

export function getPull(call: RepoCall): Reply {
  return ok(showPull(call.world, call.repo, wanted(call)));
}

export function listPulls(call: RepoCall): Reply {
  const { world, repo, query } = call;
  const state = query.get('state') ?? 'open';
  const sort = query.get('sort') === 'updated' ? 'updated_at' : 'created_at';
  const ascending = query.get('direction') === 'asc';
  const [owner, branch] = query.get('head')?.split(':') ?? [];
  const pulls = [...repo.pulls.values()]
    .filter((pull) => state === 'all' || pull.state === state)
    .filter((pull) => branch === undefined || (pull.branch === branch && ownerOf(pull, repo.owner.login) === owner))
    .sort((a, b) => (ascending ? 1 : -1) * (a[sort].getTime() - b[sort].getTime() || a.number - b.number));
  return page(
    call,
    `/repos/${repo.full_name}/pulls`,
    pulls.map((pull) => showPull(world, repo, pull)),
  );
}

/** Those that contain the commit, not only those it is the head of; none for a commit that a fork alone has. */
export function listPullsOfCommit(call: RepoCall): Reply {
  const { world, repo, params } = call;
  const sha = params['sha']!;
  const all = [...repo.pulls.values()];
  if (!all.some((pull) => pull.commits.includes(sha)) && !repo.runs.some((run) => run.head_sha === sha)) {
    throw new Refusal(422, `No commit found for SHA: ${sha}`);
  }
  const containing = all.filter((pull) => pull.commits.includes(sha));
  const pulls = containing.every((pull) => pull.fork !== null) ? [] : containing;
  return page(
    call,
    `/repos/${repo.full_name}/commits/${sha}/pulls`,
    pulls.map((pull) => showPull(world, repo, pull)),
  );
}

/** Oldest first. */
export function listReviews(call: RepoCall): Reply {
  const { world, repo } = call;
  const pull = wanted(call);
  const reviews = (repo.reviews.get(pull.number) ?? []).map((review) => ({
    id: review.id,
    node_id: `PRR_${review.id}`,
    user: showAccount(world, review.author),
    body: '',
    state: review.state,
    commit_id: review.commit_id,
    submitted_at: stamp(review.submitted_at),
    author_association: 'MEMBER',
  }));
  return page(call, `/repos/${repo.full_name}/pulls/${pull.number}/reviews`, reviews);
}

/** Whether the repository has the commit, in a branch or in the head of a pull request. */
export function knowsCommit({ repo }: Pick<RepoCall, 'repo'>, sha: string): boolean {
  return (
    [...repo.pulls.values()].some((pull) => pull.commits.includes(sha) || pull.base_sha === sha) ||
    repo.runs.some((run) => run.head_sha === sha)
  );
}

function wanted({ repo, params }: RepoCall): Pull {
  const pull = repo.pulls.get(Number(params['number']));
  if (pull === undefined || headOf(pull) === undefined) throw notFound();
  return pull;
}

function ownerOf(pull: Pull, owner: string): string {
  return pull.fork?.split('/')[0] ?? owner;
}

import { createHash, randomBytes } from 'node:crypto';
import { showInstallation } from './shapes.ts';
import {
  type Artifact,
  type Comment,
  ensureAccount,
  type Fault,
  type GithubState,
  type Grants,
  getPullRequest,
  getRepository,
  type Pull,
  type Repo,
  type Review,
  type Role,
  type Run,
  readHead,
  type WriteLimit,
} from './state.ts';

/** The permissions that the App requests on installation. */
const APP_GRANTS: Grants = {
  actions: 'read',
  checks: 'write',
  contents: 'read',
  issues: 'read',
  metadata: 'read',
  pull_requests: 'write',
};
const TOKEN_GRANTS: Grants = { ...APP_GRANTS, checks: 'read', statuses: 'write' };

/** Methods that set who may access what. */
export function createAccessMethods(github: GithubState) {
  return {
    addRepo(full_name: string, { private: hidden = true } = {}): Repo {
      const [owner = '', name = ''] = full_name.split('/');
      const repo: Repo = {
        id: github.nextId(),
        full_name,
        owner: ensureAccount(github, owner, 'Organization'),
        name,
        private: hidden,
        default_branch: 'main',
        former_name: null,
        collaborators: new Map(),
        pulls: new Map(),
        issues: [],
        has_issues: true,
        archived: false,
        reviews: new Map(),
        comments: [],
        runs: [],
        artifacts: [],
        checks: [],
        statuses: [],
        files: new Map(),
        commits: [],
      };
      github.repos.set(full_name, repo);
      return repo;
    },
    renameRepo(from: string, to: string): void {
      const repo = getRepository(github, from);
      github.repos.delete(from);
      Object.assign(repo, { full_name: to, name: to.split('/')[1], former_name: from });
      github.repos.set(to, repo);
      for (const { repos } of [...github.installations.values(), ...github.tokens.values()]) {
        if (repos.delete(from)) repos.add(to);
      }
    },
    /**
     * Installs the App on some repositories of one account. Its owners see the installation unless `visible_to` names
     * others.
     *
     * @returns its installation ID
     */
    install(repos: string[], options: { login?: string; visible_to?: string[]; owned_by?: string[] } = {}): number {
      const { login = repos[0]?.split('/')[0] ?? 'acme', visible_to = [], owned_by = visible_to } = options;
      const id = github.nextId();
      const account = ensureAccount(github, login, 'Organization');
      const grants = { ...APP_GRANTS };
      const access_lists = { visible_to: new Set(visible_to), owned_by: new Set(owned_by) };
      const installation = { id, account, repos: new Set(repos), grants, suspended: false, ...access_lists };
      github.installations.set(id, installation);
      return id;
    },
    /** The code of the redirect after this user has signed in. */
    code(login: string): string {
      const code = randomBytes(10).toString('hex');
      github.codes.set(code, ensureAccount(github, login).login);
      return code;
    },
    /** An installation as GitHub presents it. */
    installation(installation_id: number) {
      const installation = github.installations.get(installation_id);
      if (installation === undefined) throw new Error(`no installation ${installation_id}`);
      return showInstallation(github, installation);
    },
    uninstall(installation_id: number): void {
      github.installations.delete(installation_id);
      for (const [value, { owner }] of github.tokens) {
        if (owner.kind === 'installation' && owner.installation.id === installation_id) github.tokens.delete(value);
      }
    },
    setInstallation(
      installation_id: number,
      changes: { repos?: string[]; grants?: Grants; suspended?: boolean },
    ): void {
      const installation = github.installations.get(installation_id);
      if (installation === undefined) throw new Error(`no installation ${installation_id}`);
      const { repos, ...others } = changes;
      Object.assign(installation, others, repos && { repos: new Set(repos) });
    },
    /** Revokes all tokens of the App, as their expiry does; new ones can be created. */
    revokeInstallationTokens(): void {
      for (const [value, { owner }] of github.tokens) if (owner.kind === 'installation') github.tokens.delete(value);
    },
    /** A personal access token of this user. @returns its value */
    addToken(login: string, repos: string[], grants: Grants = TOKEN_GRANTS): string {
      const account = ensureAccount(github, login);
      const value = `github_pat_${createHash('sha256').update(`${login} ${github.nextId()}`).digest('hex')}`;
      const owner = { kind: 'user', account } as const;
      github.tokens.set(value, { value, repos: new Set(repos), grants: { ...grants }, expires_at: null, owner });
      return value;
    },
    setToken(value: string, changes: { repos?: string[]; grants?: Grants; expires_at?: number }): void {
      const token = github.tokens.get(value);
      if (token === undefined) throw new Error('no such token: addToken makes one');
      const { repos, ...others } = changes;
      Object.assign(token, others, repos && { repos: new Set(repos) });
    },
    /** null removes the role. */
    setPermission(full_name: string, login: string, role: Role | null): void {
      ensureAccount(github, login);
      const { collaborators } = getRepository(github, full_name);
      if (role === null) collaborators.delete(login);
      else collaborators.set(login, role);
    },
  };
}

/** Methods that set the contents of repositories. */
export function createContentMethods(github: GithubState) {
  const currentDate = () => new Date(github.now());
  return {
    setFile(full_name: string, sha: string, path: string, content: string | Buffer): void {
      getRepository(github, full_name).files.set(`${sha}:${path}`, Buffer.from(content));
    },
    /** @param input.fork full name of the fork that contains the branch, if any */
    openPullRequest(
      full_name: string,
      input: { head_sha?: string; branch?: string; fork?: string; author?: string; base_sha?: string } = {},
    ): Pull {
      const repo = getRepository(github, full_name);
      const number = repo.pulls.size + 1;
      const pull: Pull = {
        id: github.nextId(),
        number,
        title: `Change number ${number}`,
        author: ensureAccount(github, input.author ?? 'dev'),
        state: 'open',
        merged: false,
        draft: false,
        branch: input.branch ?? `change-${number}`,
        base_branch: repo.default_branch,
        base_sha: input.base_sha ?? hashSha(`${full_name} base`),
        commits: [input.head_sha ?? hashSha(`${full_name} ${number} first`)],
        fork: input.fork ?? null,
        created_at: currentDate(),
        updated_at: currentDate(),
      };
      repo.pulls.set(number, pull);
      return pull;
    },
    /** Adds a head commit. @returns its SHA */
    push(full_name: string, number: number, sha?: string): string {
      const pull = getPullRequest(github, full_name, number);
      const head = sha ?? hashSha(`${full_name} ${number} ${pull.commits.length}`);
      pull.commits.push(head);
      pull.updated_at = currentDate();
      return head;
    },
    setPullRequest(full_name: string, number: number, changes: Partial<Pull>): Pull {
      return Object.assign(getPullRequest(github, full_name, number), { updated_at: currentDate() }, changes);
    },
    /** Adds a workflow run with artifacts; it is completed unless `status` is given. */
    addRun(
      full_name: string,
      input: Partial<Run> & { head_sha: string; artifacts?: { name: string; zip: Buffer }[] },
    ): Run {
      const repo = getRepository(github, full_name);
      const { artifacts = [], ...given } = input;
      const run: Run = {
        id: 16_000_000_000 + github.nextId(),
        name: 'plan',
        head_branch: 'change',
        event: 'pull_request',
        run_number: repo.runs.length + 1,
        run_attempt: 1,
        status: 'completed',
        conclusion: 'success',
        actor: ensureAccount(github, 'dev'),
        created_at: currentDate(),
        ...given,
      };
      repo.runs.push(run);
      for (const { name, zip } of artifacts) addArtifact(github, repo, run, name, zip);
      return run;
    },
    addArtifact(full_name: string, run: Run, name: string, zip: Buffer): Artifact {
      return addArtifact(github, getRepository(github, full_name), run, name, zip);
    },
    /** Like "re-run all jobs": the next attempt of the same run. */
    rerun(full_name: string, run_id: number, changes: Partial<Run> = {}): Run {
      const run = getRepository(github, full_name).runs.find(({ id }) => id === run_id);
      if (run === undefined) throw new Error(`no run ${run_id}: addRun makes one`);
      return Object.assign(run, { run_attempt: run.run_attempt + 1, created_at: currentDate() }, changes);
    },
  };
}

/** Methods that add comments and reviews. */
export function createDiscussionMethods(github: GithubState) {
  return {
    review(full_name: string, number: number, login: string, state: Review['state']): Review {
      const repo = getRepository(github, full_name);
      const review: Review = {
        id: github.nextId(),
        author: ensureAccount(github, login),
        state,
        commit_id: readHead(getPullRequest(github, full_name, number)),
        submitted_at: new Date(github.now()),
      };
      repo.reviews.set(number, [...(repo.reviews.get(number) ?? []), review]);
      return review;
    },
    approve(full_name: string, number: number, login: string): Review {
      return this.review(full_name, number, login, 'APPROVED');
    },
    comment(full_name: string, pr_number: number, login: string, body: string): Comment {
      getPullRequest(github, full_name, pr_number);
      const at = new Date(github.now());
      const comment: Comment = {
        id: github.nextId(),
        pr_number,
        author: ensureAccount(github, login),
        app_id: null,
        body,
        created_at: at,
        updated_at: at,
        history: [{ body, at }],
        reactions: [],
        deleted: false,
      };
      getRepository(github, full_name).comments.push(comment);
      return comment;
    },
    deleteComment(full_name: string, comment_id: number): void {
      const comment = getRepository(github, full_name).comments.find(({ id }) => id === comment_id);
      if (comment !== undefined) comment.deleted = true;
    },
    /** Comments that were not deleted, oldest first, each with all its bodies. */
    comments(full_name: string, pr_number: number): Comment[] {
      return getRepository(github, full_name).comments.filter((one) => one.pr_number === pr_number && !one.deleted);
    },
  };
}

/** Methods that configure failures. */
export function createFaultMethods(github: GithubState) {
  return {
    /** Makes the next matching requests fail. A path of the storage begins with `storage:`. */
    fail(fault: Omit<Fault, 'times'> & { times?: number }): void {
      github.faults.push({ times: 1, ...fault });
    },
    /** Sets the secondary rate limit; null removes it. */
    limitWrites(limit: WriteLimit | null): void {
      github.write_limit = limit;
    },
    /** @param reset seconds since the epoch */
    setRate(remaining: number, reset: number): void {
      Object.assign(github.rate, { remaining, reset });
    },
  };
}

function addArtifact(github: GithubState, repo: Repo, run: Run, name: string, zip: Buffer): Artifact {
  const artifact: Artifact = {
    id: github.nextId(),
    run_id: run.id,
    name,
    zip,
    expired: false,
    created_at: new Date(github.now()),
  };
  repo.artifacts.push(artifact);
  return artifact;
}

function hashSha(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

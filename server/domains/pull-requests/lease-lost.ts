/** Another process works on the pull request now, or it is gone: whoever held it stops, and has nothing to put right. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(pull_request_id: string) {
    super(`the pull request ${pull_request_id} is held by another process; stop working on it`);
  }
}

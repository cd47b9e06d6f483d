/** Another process works on the pull request now, or it is gone: whoever held it stops, and has nothing to put right. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(pull_request_id: string) {
    super(`another process holds the lease of the pull request ${pull_request_id}; stop processing it`);
  }
}

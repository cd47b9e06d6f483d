/**
 * Thrown when another process has taken over the pull request, or it was deleted: the holder stops and needs no
 * cleanup.
 */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(pull_request_id: string) {
    super(`another process holds the lease of the pull request ${pull_request_id}; stop processing it`);
  }
}

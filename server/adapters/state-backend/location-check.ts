import { InvalidInput } from '../../lib/errors.ts';
import { parseUrl } from '../../lib/parse-url.ts';
import type { Egress } from '../egress/index.ts';
import { notAllowed } from './faults.ts';
import { findRefusedFolderName, findRefusedName, type NameRefusal } from './names.ts';
import { StateBackendError, type StateFolder, type StateLocation } from './types.ts';

export const TFC_ENDPOINT = 'https://app.terraform.io';
/** What people paste as the address of HCP Terraform or Terraform Enterprise. */
const TFC_PATHS = new Set(['/', '/api/v2', '/api/v2/']);

/**
 * Checks locations before they are saved, without any request. Addresses of names are checked at each request.
 *
 * @returns a function that throws InvalidInput: `url_not_allowed` for an endpoint that is not a public server,
 *   `invalid_request` for a name that its cloud would not accept
 */
export function createLocationCheck({ assertPublicUrl }: Pick<Egress, 'assertPublicUrl'>) {
  return (location: StateLocation): void => {
    const refusal = findRefusedName(location);
    if (refusal !== undefined) throw new InvalidInput(`${refusal.field} ${refusal.reason}`);
    if (location.kind !== 'tfc' || location.endpoint === undefined) return;
    assertPublicUrl(location.endpoint, 'endpoint');
    if (parseTfcOrigin(location.endpoint) === undefined) {
      throw new InvalidInput(
        'endpoint must be the address of a server without a path, such as https://tfe.example.com',
      );
    }
  };
}

/** Origin of the server; undefined if the address has a path, a query or a fragment. */
export function parseTfcOrigin(endpoint = TFC_ENDPOINT): string | undefined {
  const url = parseUrl(endpoint);
  if (url === undefined) return undefined;
  const { protocol, origin, pathname, search, hash } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return TFC_PATHS.has(pathname) && search === '' && hash === '' ? origin : undefined;
}

/** The same check right before a request. @throws StateBackendError `not_allowed` */
export function assertNames(location: StateLocation): void {
  throwIfRefused(findRefusedName(location));
}

/** @throws StateBackendError `not_allowed` */
export function assertFolderNames(folder: StateFolder): void {
  throwIfRefused(findRefusedFolderName(folder));
}

function throwIfRefused(refusal: NameRefusal | undefined): void {
  if (refusal === undefined) return;
  throw new StateBackendError('not_allowed', `${refusal.field} ${refusal.reason}. Correct the configuration.`);
}

/** @throws StateBackendError `not_allowed` */
export function getTfcOrigin(endpoint: string | undefined): string {
  const origin = parseTfcOrigin(endpoint);
  if (origin === undefined) throw notAllowed('HCP Terraform');
  return origin;
}

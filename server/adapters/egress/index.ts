import { lookup } from 'node:dns/promises';
import type { Agent } from 'node:http';
import { isIP } from 'node:net';
import { AntiSSRFPolicy, PolicyConfigOptions } from '@microsoft/antissrf';
import { errorCode } from '../../lib/error-code.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { isPrivateAddress, isPublicAddress } from './addresses.ts';
import { compileAllowedHosts } from './allowed-hosts.ts';
import { fetchPinned } from './fetch-pinned.ts';
import { describeRefusal } from './public-url.ts';
import { requestJson } from './request-json.ts';
import { type Egress, EgressError, type GuardedFetch, type Resolve } from './types.ts';

export { type Egress, EgressError, type GuardedFetch, type GuardedRequest } from './types.ts';

const TIMEOUT_MS = 5_000;
/** Failures before the connection was established. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL']);

export interface EgressOptions {
  /** Servers that the operator allows, also at private addresses: `host` or `host:port`. */
  allowed_hosts?: readonly string[];
  resolve?: Resolve;
  timeout_ms?: number;
}

/**
 * Calls URLs of customers. A name is resolved once, each of its addresses is checked, and one checked address is
 * dialed, so a second response of the name server (DNS rebinding) is never used. The agent checks the dialed address
 * again with an independent list and library.
 */
export function createEgress(options: EgressOptions = {}): Egress {
  const { timeout_ms = TIMEOUT_MS } = options;
  const { isAllowed, resolveDestination } = createGuard(options);

  async function getJson(text: string): Promise<unknown> {
    const signal = AbortSignal.timeout(timeout_ms);
    const { addresses, ...target } = await resolveDestination(text, signal);
    const canContinue = () => !signal.aborted;
    return tryAddresses(addresses, (address) => requestJson({ ...target, signal, address }), canContinue);
  }

  return {
    assertPublicUrl(url, field) {
      const refusal = describeRefusal(url, isAllowed);
      if (refusal !== undefined) throw new InvalidInput(`${field} ${refusal}`, 'url_not_allowed');
    },
    getJson,
  };
}

/** The same guard for requests of any kind. The caller's signal limits the time. */
export function createGuardedFetch(options: Omit<EgressOptions, 'timeout_ms'> = {}): GuardedFetch {
  const { resolveDestination } = createGuard(options);

  return async (text, request) => {
    const { addresses, ...target } = await resolveDestination(text, request.signal, request.max_url_length);
    const ask = (address: string) => fetchPinned({ ...request, ...target, address });
    // A request that may have been sent is not sent again.
    return tryAddresses(addresses, ask, (failure) => NOT_CONNECTED.has(errorCode(failure.cause) ?? ''));
  };
}

/** The addresses of a request that can be dialed, and the agent that checks them again. */
interface Destination {
  url: URL;
  addresses: readonly string[];
  agent?: Agent;
}

function createGuard({ allowed_hosts = [], resolve = systemResolve }: EgressOptions) {
  const agent = createGuardedAgent();
  const isAllowed = compileAllowedHosts(allowed_hosts);

  /** @throws EgressError `refused`, or `unreachable` if there is no address */
  async function resolveDestination(text: string, signal: AbortSignal, max_length?: number): Promise<Destination> {
    const refusal = describeRefusal(text, isAllowed, max_length);
    if (refusal !== undefined) throw new EgressError('refused', `the address ${refusal}`);
    const url = new URL(text);
    const addresses = await resolveAddresses(url, resolve, signal);
    if (isAllowed(url)) return { url, addresses: assertEvery(url, addresses, isPublicOrPrivate) };
    return { url, agent, addresses: assertEvery(url, addresses, isPublicAddress) };
  }

  return { isAllowed, resolveDestination };
}

/** Fetches a JSON document from an address that the operator of this installation trusts, which can be private. */
export async function getTrustedJson(url: string): Promise<unknown> {
  return requestJson({ url: new URL(url), signal: AbortSignal.timeout(TIMEOUT_MS) });
}

function createGuardedAgent() {
  const policy = new AntiSSRFPolicy(PolicyConfigOptions.ExternalOnlyLatest);
  // Not in the agent's list: IPv6 forms with an IPv4 address in the low bits, compatible (::a.b.c.d) or translated (RFC
  // 2765).
  policy.addDeniedAddresses(['::/96', '::ffff:0:0:0/96']);
  return policy.getHttpsAgent();
}

function isPublicOrPrivate(address: string): boolean {
  return isPublicAddress(address) || isPrivateAddress(address);
}

/** One forbidden address is enough to refuse the request, because it is undefined which address would be dialed. */
function assertEvery(url: URL, addresses: readonly string[], isGood: (address: string) => boolean): readonly string[] {
  if (addresses.every(isGood)) return addresses;
  throw new EgressError('refused', `${url.hostname} resolves to an address that is not on the public internet`);
}

async function resolveAddresses(url: URL, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(literal) === 0 ? resolveInTime(url.hostname, resolve, signal) : [literal];
}

async function resolveInTime(hostname: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  const timeout = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    const addresses = await Promise.race([resolve(hostname), timeout]);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    throw new EgressError('unreachable', `${hostname} cannot be resolved`, { cause: error });
  }
  throw new EgressError('unreachable', `${hostname} has no address`);
}

/** Tries the addresses in the resolver's order until a connection succeeds. */
async function tryAddresses<T>(
  addresses: readonly string[],
  ask: (address: string) => Promise<T>,
  canContinue: (failure: EgressError) => boolean,
): Promise<T> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await ask(address);
    } catch (error) {
      failure = error;
      if (!(error instanceof EgressError) || error.reason !== 'unreachable' || !canContinue(error)) break;
    }
  }
  throw failure;
}

async function systemResolve(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

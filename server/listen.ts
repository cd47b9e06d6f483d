import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from './config/index.ts';
import type { Running } from './running.ts';

/**
 * Serves on the configured host until the service stops.
 *
 * @param port 0 for any that is free
 * @returns the address
 * @throws Error that says what to do if the port cannot be opened
 */
export async function listen(server: Server, port: number, config: Config, running: Running): Promise<string> {
  const { host } = config.http;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  running.stopFirst(() => closeServer(server, config.shutdown_grace_ms));
  const address = server.address() as AddressInfo;
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`port ${port} is already in use; choose another with --port, or 0 for any`);
  if (error.code === 'EACCES') return new Error(`this user is not allowed to open port ${port}; choose one above 1023`);
  return new Error(`cannot listen on ${host}:${port}: ${error.message}`, { cause: error });
}

/**
 * Stops accepting connections; running requests can finish within the grace period, idle connections are closed now.
 */
async function closeServer(server: Server, grace_ms: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), grace_ms);
  await closed;
  clearTimeout(timer);
}

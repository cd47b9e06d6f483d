import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dice } from './dice.ts';

const HUGE = Buffer.alloc(1024 * 1024, 'x');

const ANSWERS: ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[{"message":{"content":"{"}}]}'),
  (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  (response) => response.writeHead(204).end(),
  (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  (response) => response.writeHead(401).end('{"error":{"message":"no"}}'),
  (response) => response.writeHead(429, { 'retry-after': '1' }).end('{}'),
  (response) => response.writeHead(500).end('{'),
  (response) => flood(response, 20),
  (response) => void response.socket?.destroy(),
];

/** Starts a Git host on loopback that responds to every request with one of several errors. */
export async function startHostileHost(dice: Dice) {
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.resume().on('end', () => dice.pick(ANSWERS)(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends up to this many MB, as long as the client reads. */
function flood(response: ServerResponse, megabytes: number): void {
  let left = megabytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(HUGE)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}

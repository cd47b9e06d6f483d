/** The limits for H1 and H2, each a server of its own process: `collect` reads a body's bytes, `json` also parses it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';

const BODY_LIMIT = '6mb';

function collectServer() {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.writeHead(202).end(String(Buffer.concat(chunks).length)));
  });
}

function jsonServer() {
  const app = express();
  app.use(express.json({ limit: BODY_LIMIT }));
  app.use((request, response) => {
    response.status(202).json({ received: Object.keys(request.body ?? {}).length });
  });
  return createServer(app);
}

const server = process.argv[2] === 'json' ? jsonServer() : collectServer();
server.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.once('SIGTERM', () => process.exit(0));

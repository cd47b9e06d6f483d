/**
 * The servers that H1, H2 and H4 compare with, each in its own process: `collect` reads the body, `json` also parses
 * it, `select` responds with one row of the database.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Pool } from 'pg';

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

function selectServer() {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'], options: '-c role=app_platform', max: 10 });
  const app = express();
  app.get('/orgs/:id', async (request, response) => {
    const columns = 'id, slug, display_name, plan, created_at';
    const { rows } = await pool.query(`select ${columns} from orgs where id = $1`, [request.params.id]);
    response.json(rows[0]);
  });
  return createServer(app);
}

const KINDS: Record<string, () => Server> = { collect: collectServer, json: jsonServer, select: selectServer };
const server = KINDS[process.argv[2] ?? '']?.() ?? collectServer();
server.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.once('SIGTERM', () => process.exit(0));

/** Attacks on connections: slow, partial, excessive or missing data. */
import { connect, type Socket } from 'node:net';
import { type Attack, pause, runParallel } from './attack.ts';
import { type Counts, increment, type Target } from './target.ts';

const SLOW_STEP_MS = 1_000;

/** Opens a connection. An error closes it and is counted. */
function openSocket({ url }: Target, counts: Counts): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', (error: NodeJS.ErrnoException) => increment(counts, error.code ?? error.message));
  socket.on('data', (chunk: Buffer) => {
    const status = /^HTTP\/1.1 (\d+)/.exec(chunk.toString('latin1'))?.[1];
    if (status !== undefined) increment(counts, status);
  });
  return socket;
}

function buildHead(target: Target, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: 'x', ...target.headers, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

const buildAnalyzePath = ({ orgs }: Target) => `/api/v2/orgs/${orgs[0]}/analyze`;
const JSON_BODY = { 'content-type': 'application/json' };

/** An attack that sends a piece per second on many connections and reopens each closed connection. */
function trickle(sockets: number, begin: (target: Target) => string, piece: string): Attack {
  return async (target, signal) => {
    const counts: Counts = {};
    await runParallel(sockets, signal, async () => {
      const socket = openSocket(target, counts);
      socket.write(begin(target));
      while (!signal.aborted && !socket.destroyed && !socket.readableEnded) {
        if (piece !== '') socket.write(piece);
        await pause(SLOW_STEP_MS, signal);
      }
      socket.destroy();
    });
    return counts;
  };
}

export const slowBodies = trickle(
  150,
  (target) => buildHead(target, buildAnalyzePath(target), { ...JSON_BODY, 'content-length': '1000000' }),
  ' ',
);

export const slowHeaders = trickle(150, () => 'GET /api/v2/me HTTP/1.1\r\nhost: x\r\n', 'a');

export const halfOpen = trickle(200, () => '', '');

/** Sends many requests in one write, and reads the responses slowly or not at all. */
export const pipelining: Attack = async (target, signal) => {
  const counts: Counts = {};
  const one = `GET /api/v2/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n`;
  await runParallel(20, signal, async (n) => {
    const socket = openSocket(target, counts);
    if (n % 2 === 0) socket.pause();
    socket.write(one.repeat(50));
    await pause(2_000, signal);
    socket.destroy();
  });
  return counts;
};

/** Disconnects during a request: in the headers, in the body, or while waiting for the response. */
export const aborted: Attack = async (target, signal) => {
  const counts: Counts = {};
  const plan = JSON.stringify({ plan_json: '{"format_version":"1.2","resource_changes":[]}' });
  const head = buildHead(target, buildAnalyzePath(target), { ...JSON_BODY, 'content-length': String(plan.length) });
  const list = `GET /api/v2/orgs/${target.orgs[0]}/scans HTTP/1.1\r\nhost: x\r\nauthorization: ${target.headers['authorization']}\r\n\r\n`;
  const pieces = [head.slice(0, 40), head, `${head}${plan.slice(0, 20)}`, list, list];
  await runParallel(20, signal, async (n) => {
    const socket = openSocket(target, counts);
    socket.write(pieces[n % pieces.length] ?? '');
    await pause(100, signal);
    socket.resetAndDestroy();
    increment(counts, 'sent');
  });
  return counts;
};

/** Sends bodies above every limit: declared, chunked, and longer than declared. */
export const oversizeBodies: Attack = async (target, signal) => {
  const counts: Counts = {};
  const block = Buffer.alloc(256 * 1024, 'x');
  const chunk = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')]);
  const heads = [{ 'content-length': '50000000' }, { 'transfer-encoding': 'chunked' }, { 'content-length': '5000000' }];
  await runParallel(20, signal, async (n) => {
    const headers = heads[n % heads.length] ?? {};
    const path = n % 4 === 0 ? `/api/v2/webhooks/github/${target.webhook.config_id}` : buildAnalyzePath(target);
    const socket = openSocket(target, counts);
    socket.write(buildHead(target, path, { ...JSON_BODY, ...headers }));
    for (let sent = 0; sent < 200 && !socket.destroyed && !signal.aborted; sent += 1) {
      if (!socket.write('transfer-encoding' in headers ? chunk : block)) await waitForDrain(socket);
    }
    socket.destroy();
    await pause(100, signal);
  });
  return counts;
};

function waitForDrain(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/**
 * Stands between the service and its database. After a transaction has kept an answer, its commit takes place but is never
 * confirmed: the connection is cut instead, as it would be if the process were killed right then.
 */
export async function startCommitCutter(database_url: string) {
  const upstream = new URL(database_url);
  const sockets = new Set<Socket>();
  let cuts = 0;

  const server = createServer((client) => {
    const database = connect(Number(upstream.port), upstream.hostname);
    let kept = false;
    const cut = () => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut);
    }
    client.on('data', (chunk) => {
      kept ||= chunk.includes('keep_answer');
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      if (!(kept && chunk.includes('COMMIT\0'))) return void client.write(chunk);
      cuts += 1;
      cut();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database_url);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cuts: () => cuts,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

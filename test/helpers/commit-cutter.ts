import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A proxy between the service and its database. After a transaction has stored a response, it commits but the client
 * gets no confirmation: the connection is closed, as if the process had been killed.
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

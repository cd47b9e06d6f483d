import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { createMailSender } from '../../../server/adapters/mail/index.ts';
import { findFreePort } from '../../fakes/ports.ts';

const received: { to: string[]; raw: string }[] = [];
const next: { rejects: { code: number } | null } = { rejects: null };
let server: SMTPServer;
beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, callback) =>
      password === 'right' ? callback(null, { user: 'dpa' }) : callback(new Error('denied')),
    onRcptTo: (_address, _session, callback) =>
      callback(next.rejects === null ? null : Object.assign(new Error('refused'), { responseCode: next.rejects.code })),
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString() });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise<void>((resolve) => void server.close(resolve)));
beforeEach(() => {
  received.splice(0);
  next.rejects = null;
});

const MAIL = {
  to: ['ops@example.com', 'ana@example.com'],
  subject: 'Drift detected: prod',
  text: 'Risk: high\n',
  message_id: '1@dpa.example.com',
  in_reply_to: null,
};
const port = () => (server.server.address() as AddressInfo).port;
const open = (login = '') =>
  createMailSender({ url: `smtp://${login}127.0.0.1:${port()}`, from: 'dpa <dpa@example.com>' });

test('an email arrives as plain text, and marks itself as automatic', async () => {
  expect(await open().send(MAIL)).toEqual({ ok: true });

  expect(received[0]?.to).toEqual(MAIL.to);
  const headers = ['From: dpa <dpa@example.com>', 'Message-ID: <1@dpa.example.com>', 'Auto-Submitted: auto-generated'];
  for (const text of [...headers, 'Content-Type: text/plain', 'Subject: Drift detected: prod', 'Risk: high']) {
    expect(received[0]?.raw).toContain(text);
  }
});

test('a later email continues the conversation of the first', async () => {
  await open().send({ ...MAIL, message_id: '2@dpa.example.com', in_reply_to: MAIL.message_id });

  expect(received[0]?.raw).toContain('In-Reply-To: <1@dpa.example.com>');
  expect(received[0]?.raw).toContain('References: <1@dpa.example.com>');
});

test('a subject cannot add a header', async () => {
  await open().send({ ...MAIL, subject: 'x\r\nBcc: eve@example.com' });

  expect(received[0]?.to).toEqual(MAIL.to);
  expect(received[0]?.raw).not.toMatch(/^Bcc:/m);
});

test.each([
  [550, true],
  [451, false],
])('status %d of a recipient is final: %p', async (code, is_final) => {
  next.rejects = { code };

  expect(await open().send({ ...MAIL, to: ['nobody@example.com'] })).toMatchObject({
    ok: false,
    status: code,
    is_final,
  });
});

test('credentials that the server does not accept are final', async () => {
  expect(await open('dpa:wrong@').send(MAIL)).toMatchObject({ ok: false, is_final: true });
});

test('credentials that the server accepts work', async () => {
  expect(await open('dpa:right@').send(MAIL)).toEqual({ ok: true });
});

test('a server that is not there can be tried again', async () => {
  const sender = createMailSender({ url: `smtp://127.0.0.1:${await findFreePort()}`, from: 'dpa@example.com' });

  expect(await sender.send(MAIL)).toEqual({
    ok: false,
    status: null,
    is_final: false,
    error: 'the mail server could not be reached',
  });
});

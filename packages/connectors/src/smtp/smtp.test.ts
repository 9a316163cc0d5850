import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { quiet, testContext } from '../testing/context.ts';
import { type SmtpServer, startSmtpServer } from '../testing/smtp-server.ts';
import { manifest } from './manifest.ts';

let server: SmtpServer;
beforeAll(async () => {
  server = await startSmtpServer();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.received.length = 0;
  server.signIns.length = 0;
  server.recipientReply = '250 ok';
  server.offersTls = true;
});

const MAIL = { id: 'run-1', to: 'ada@example.com', subject: 'Failed: Größe 1', text: 'One\n.\nTwo: größer' };

function open(changes: Record<string, string> = {}, allowPrivateAddresses = true) {
  const { url, cert: certificate } = server;
  const settings = { url, certificate, user: 'keeper', password: 'secret', from: 'backup@example.org', ...changes };
  return manifest.open(settings, testContext({ allowPrivateAddresses }));
}

describe('a mail server', () => {
  it('receives a mail whole, with an id that stays the same, after an encrypted sign-in', async () => {
    await open().send(MAIL, quiet());
    expect(server.signIns).toEqual([{ text: 'keeper secret', isEncrypted: true }]);
    const [mail] = server.received;
    expect(mail?.isEncrypted).toBe(true);
    expect(mail?.to).toBe('ada@example.com');
    expect(mail?.data).toContain('From: backup@example.org');
    expect(mail?.data).toContain('Message-ID: <run-1@example.org>');
    expect(mail?.data).toContain('Auto-Submitted: auto-generated');
    expect(mail?.data).toMatch(/^Subject: .*=\?UTF-8\?/m);
    expect(mail?.data).toContain('Two: gr=C3=B6=C3=9Fer');
  });

  it('receives whom an answer reaches, and no line of a text as a header', async () => {
    const replyTo = 'ada@example.com';
    await open().send(
      { ...MAIL, replyTo, subject: 'One\r\nBcc: eve@example.com', text: 'Bcc: eve@example.com' },
      quiet(),
    );
    const [head = ''] = server.received[0]?.data.split('\r\n\r\n') ?? [];
    expect(head).toMatch(/^Reply-To: ada@example\.com\r$/m);
    expect(head).not.toMatch(/^Bcc:/m);
    expect(server.received.map(({ to }) => to)).toEqual(['ada@example.com']);
  });

  it('that is encrypted from the first byte receives one, too', async () => {
    const secure = await startSmtpServer({ isSecure: true });
    try {
      await open({ url: secure.url, certificate: secure.cert }).send(MAIL, quiet());
      expect(secure.signIns).toEqual([{ text: 'keeper secret', isEncrypted: true }]);
      expect(secure.received).toMatchObject([{ to: 'ada@example.com', isEncrypted: true }]);
    } finally {
      await secure.stop();
    }
  });

  it('that offers no encryption gets neither a password nor a mail', async () => {
    server.offersTls = false;
    await expect(open().send(MAIL, quiet())).rejects.toMatchObject({ kind: 'not-reachable' });
    await expect(open().test(quiet())).rejects.toMatchObject({ kind: 'not-reachable' });
    expect([server.signIns, server.received]).toEqual([[], []]);
  });

  it('says in a test of its settings that they work, without a mail', async () => {
    expect(await open().test(quiet())).toEqual({ version: '127.0.0.1' });
    expect(server.received).toEqual([]);
  });

  it.each([
    ['a wrong password', { password: 'other' }, 'wrong-credentials', 'no such user'],
    ['an unknown certificate', { certificate: '' }, 'not-reachable', 'certificate'],
    ['a port where nothing listens', { url: 'smtp://127.0.0.1:1' }, 'not-reachable', 'ECONNREFUSED'],
  ])('refuses %s by its kind', async (_, changes, kind, text) => {
    const message = expect.stringContaining(text);
    await expect(open(changes).send(MAIL, quiet())).rejects.toMatchObject({ kind, message });
    expect(server.received).toEqual([]);
  });

  it.each([
    ['550 5.1.1 no such mailbox', 'not-allowed'],
    ['501 5.1.3 bad address', 'not-allowed'],
    ['451 4.7.1 try later', 'throttled'],
  ])('says of a recipient that is answered %s what is to do', async (reply, kind) => {
    server.recipientReply = reply;
    const message = expect.stringContaining(reply.slice(4));
    await expect(open().send(MAIL, quiet())).rejects.toMatchObject({ kind, message });
  });

  it('says of a mail without a receiver that its receiver is refused', async () => {
    const message = expect.stringContaining('No recipients defined');
    await expect(open().send({ ...MAIL, to: '' }, quiet())).rejects.toMatchObject({ kind: 'not-allowed', message });
  });

  it('is not called at a private address where that is not allowed', async () => {
    await expect(open({}, false).test(quiet())).rejects.toThrow('ALLOW_PRIVATE_ADDRESSES');
    expect(server.signIns).toEqual([]);
  });

  it.each([
    [{ url: 'https://mail.example.com' }, 'Address'],
    [{ url: 'smtp://user@mail.example.com' }, 'Address'],
    [{ from: 'backup' }, 'Sender'],
  ])('refuses the settings %j', (changes, field) => {
    expect(() => open(changes)).toThrow(field);
  });

  it('ends a mail at once with the signal', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(open().send(MAIL, stop.signal)).rejects.toThrow('stopped');
  });
});

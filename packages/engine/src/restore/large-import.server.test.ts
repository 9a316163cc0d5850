import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { folder, type GivenItem, json, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { openTransport, type Send } from '../source/graph/requests/transport.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { MailboxPlace } from './places/mailbox-place.ts';
import { restore } from './restore.ts';
import { RESTORE_OPTIONS } from './restore-options.ts';

let stored: StoredBackup;
let tenant: RunningTenant | undefined;
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(async () => {
  await stored.close();
  await tenant?.stop();
});

/** As base64 more than the server takes in one request. */
const TOO_LARGE_BYTES = 50 * 2 ** 20;

const message = (id: string, exportBytes: number): GivenItem => ({
  id,
  kind: 'message',
  name: id,
  parentId: 'inbox',
  contents: {
    ...json({ subject: id, internetMessageId: `<${id}@contoso.example>`, isDraft: true }),
    mime: `Message-ID: <${id}@contoso.example>\r\nSubject: ${id}\r\nFrom: ada@contoso.example\r\n\r\nHello.\r\n`,
    export: Buffer.alloc(exportBytes, id),
  },
});

test.each(['is refused', 'breaks the connection'])(
  'restores messages whose import %s for their size from their MIME, further ones at once',
  async (how) => {
    const counts = new Map<string, number>();
    const transport = openTransport(['127.0.0.1']);
    const send: Send = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/import/')) {
        const bytes = request.body?.length ?? 0;
        const size = bytes > TOO_LARGE_BYTES ? 'large' : 'small';
        counts.set(size, (counts.get(size) ?? 0) + 1);
        if (size === 'large' && how === 'breaks the connection') throw new Error('other side closed');
      }
      return transport(request);
    };
    const connected = await startConnected({ size: 'small', budgets: false }, { send });
    tenant = connected.tenant;
    const user = connected.tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.id ?? '';
    const target = openGraphTarget(connected.connection).mailbox({ kind: 'mailbox', id: user });
    const large = ['large-1', 'large-2', 'large-3'].map((id) => message(id, TOO_LARGE_BYTES));
    const given = [folder('inbox', 'mail-folder', 'Inbox', 'inbox'), ...large, message('small', 5_000)];
    const scope = { ...(await stored.backUp(MAILBOX, given)), items: null };
    const { repository, catalog } = stored;
    const result = await restore(
      { repository, catalog, signal: new AbortController().signal, itemsAtOnce: 1 },
      {
        scope,
        options: { ...RESTORE_OPTIONS, into: 'Restored' },
        to: user,
        place: (paths, signal) => new MailboxPlace(target, paths, 'Restored', signal),
      },
    );
    expect(result.failures).toEqual([]);
    expect(result).toMatchObject({ restored: 4, failed: 0, stoppedBy: null, notBegun: 0 });
    // One refusal, or two broken connections, say that the size is the reason; the others of that size need no request.
    expect(counts.get('large')).toBeLessThan(3);
    expect(counts.get('small')).toBe(1);
  },
  60_000,
);

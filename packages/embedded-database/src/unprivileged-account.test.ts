import { expect, test } from 'vitest';
import { chooseAccount, parsePasswd, runsAsRoot } from './unprivileged-account.ts';

test('reads the accounts of /etc/passwd and passes over what is not one', () => {
  const text = [
    'root:x:0:0:root:/root:/bin/bash',
    '# a comment',
    '',
    '+::::::',
    'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
    'broken:x:abc:1::/:/bin/sh',
  ].join('\n');
  expect(parsePasswd(text)).toEqual([
    { name: 'root', uid: 0, gid: 0 },
    { name: 'nobody', uid: 65_534, gid: 65_534 },
  ]);
});

test('never chooses root for PostgreSQL, and an ordinary account stays itself', async () => {
  const account = await chooseAccount(undefined);
  if (runsAsRoot()) expect(account?.uid).toBeGreaterThan(0);
  else expect(account).toBeUndefined();
});

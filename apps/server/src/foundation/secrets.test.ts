import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashOfPassword, hashOfToken, isPassword, newToken, readSecret, secretBox } from './secrets.ts';

describe('secrets at rest', () => {
  const box = secretBox('the key');

  it('open again with the same key and place', () => {
    expect(box.open(box.seal('pässword', 'source 1'), 'source 1')).toBe('pässword');
  });

  it('never look the same twice and do not contain the text', () => {
    const [one, two] = [box.seal('password', 'a'), box.seal('password', 'a')];
    expect(one.equals(two)).toBe(false);
    expect(one.includes('password')).toBe(false);
  });

  it('do not open with another key, in another place, or after a flipped bit', () => {
    const sealed = box.seal('password', 'source 1');
    expect(() => secretBox('another key').open(sealed, 'source 1')).toThrow();
    expect(() => box.open(sealed, 'source 2')).toThrow();
    const flipped = Buffer.from(sealed);
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    expect(() => box.open(flipped, 'source 1')).toThrow();
  });
});

describe('passwords', () => {
  it('are recognised, also typed in another Unicode form, and no other is', async () => {
    const hash = await hashOfPassword('Zürich\u00e9');
    expect(await isPassword('Zu\u0308rich\u00e9', hash)).toBe(true);
    expect(await isPassword('zürich\u00e9', hash)).toBe(false);
    expect(hash).not.toContain('rich');
  });

  it('never equal a hash of another form', async () => {
    expect(await isPassword('', '')).toBe(false);
    expect(await isPassword('x', '$2b$10$abcdefghijklmnopqrstuv')).toBe(false);
  });
});

describe('tokens', () => {
  it('have 256 bits, differ, and are stored as a hash', () => {
    const tokens = new Set(Array.from({ length: 100 }, newToken));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(hashOfToken('a')).toHaveLength(32);
  });
});

describe('the key of the installation', () => {
  it('is created and stored once, also by ten that start together, and readable by its owner alone', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'keepwatch-secret-')), 'data');
    const read = await Promise.all(Array.from({ length: 10 }, () => readSecret('', folder)));
    expect(new Set([...read, await readSecret('', folder)]).size).toBe(1);
    expect(await readdir(folder)).toEqual(['secret']);
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(folder, 'secret'), 'utf8')).length).toBeGreaterThan(40);
  });

  it('is the one given, where one is given', async () => {
    expect(await readSecret('given', '/nowhere')).toBe('given');
  });
});

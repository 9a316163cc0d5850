import { describe, expect, it } from 'vitest';
import { hashOfPassword, hashOfToken, isPassword, keyIdOf, newToken, secretBox } from './secrets.ts';

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

describe('two keys', () => {
  const old = secretBox('old');
  const both = secretBox(() => ({ current: 'new', previous: 'old' }));
  const now = secretBox('new');
  /** As versions sealed before keys had ids. */
  const withoutId = (sealed: Buffer) => Buffer.concat([Buffer.of(1), sealed.subarray(9)]);

  it('open what either has sealed; the one in force seals', () => {
    expect(both.open(old.seal('a', 'place'), 'place')).toBe('a');
    expect(now.open(both.seal('b', 'place'), 'place')).toBe('b');
    expect(both.keyOf(old.seal('a', 'place'), 'place')).toBe('previous');
    expect(both.keys()).toEqual({ current: now.keys().current, previous: old.keys().current });
  });

  it('seal again what either opens, also what does not say its key', () => {
    for (const sealed of [
      old.seal('a', 'place'),
      withoutId(old.seal('a', 'place')),
      withoutId(now.seal('a', 'place')),
    ]) {
      const again = both.reseal(sealed, 'place');
      expect(keyIdOf(again)).toBe(now.keys().current);
      expect(now.open(again, 'place')).toBe('a');
    }
  });

  it('lose nothing of what neither opens: its own key still does', () => {
    const other = secretBox('other');
    for (const sealed of [other.seal('a', 'place'), withoutId(other.seal('a', 'place'))]) {
      const again = both.reseal(sealed, 'place');
      expect([keyIdOf(again), both.keyOf(again, 'place')]).toEqual([null, null]);
      expect(other.open(again, 'place')).toBe('a');
    }
  });

  it('that are the same one count as one', () => {
    expect(secretBox(() => ({ current: 'new', previous: 'new' })).keys().previous).toBeNull();
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

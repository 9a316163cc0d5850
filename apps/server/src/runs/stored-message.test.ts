import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MESSAGE_LENGTH_MAX, partsOfMessage, storedMessage } from './stored-message.ts';

it('keeps the beginning and the end of a long message, and says that the middle is missing', () => {
  const stored = storedMessage(`begin ${'of the copy stopped '.repeat(5_000)}the tape is gone`);
  expect(stored).toHaveLength(MESSAGE_LENGTH_MAX);
  expect(stored).toMatch(/^begin of .*\n… The middle of this message was left out. …\n.* the tape is gone$/);
  expect(partsOfMessage(stored)).toEqual({
    beginning: expect.stringMatching(/^begin /),
    end: expect.stringMatching(/ the tape is gone$/),
  });
});

it('keeps a message of 4,000 characters whole', () => {
  const message = 'x'.repeat(MESSAGE_LENGTH_MAX);
  expect(storedMessage(message)).toBe(message);
  expect(partsOfMessage(message)).toBeNull();
});

it('makes any text storable, and what is stored stays as it is', () => {
  const text = fc.string({ unit: 'binary', maxLength: 50 });
  fc.assert(
    fc.property(text, text, fc.nat({ max: 5_000 }), (one, other, length) => {
      const stored = storedMessage(`\u0000${one}${'🧯'.repeat(length)}${other}`);
      expect(stored.length).toBeLessThanOrEqual(MESSAGE_LENGTH_MAX);
      expect(stored).not.toContain('\u0000');
      expect(stored.isWellFormed()).toBe(true);
      expect(storedMessage(stored)).toBe(stored);
    }),
  );
});

import { expect, it } from 'vitest';
import { question } from './search-question.ts';

const asked = (query: Omit<Parameters<typeof question>[1], 'limit'>) => question(36, { limit: 1, ...query });

it('asks for all words, each of its repository; only the last may be a beginning', () => {
  expect(asked({ text: 'Annual Budget' })).toBe("'10:annual' & '10:budget':*");
});

it('asks for neighbours where words stand in quotes or without a space between them', () => {
  expect(asked({ text: '"annual budget" a.pdf' })).toBe("('10:annual' <-> '10:budget') & ('10:a' <-> '10:pdf':*)");
  expect(asked({ text: 'new "annual budget' })).toBe("'10:new' & ('10:annual' <-> '10:budget')");
});

it('asks a field for its own words, and people for addresses or parts of them', () => {
  expect(asked({ subject: 'offer' })).toBe("'10.subject:offer':*");
  expect(asked({ from: 'Ada <ada@contoso.example>' })).toBe(
    "'10.from:ada':* & ('10.from:ada@contoso.example':* | ('10.from:ada' <-> '10.from:contoso' <-> '10.from:example':*))",
  );
  expect(asked({ to: '@contoso.example,' })).toBe(
    "('10.to:contoso.example':* | ('10.to:contoso' <-> '10.to:example':*))",
  );
});

it('asks the index of words for kinds when nothing else is asked of it', () => {
  expect(asked({ kinds: ['tab', 'app'] })).toBe("'10.kind:tab' | '10.kind:app'");
  expect(asked({ kinds: ['tab'], text: 'x' })).toBe("'10:x':*");
});

it('leaves no sign of the text outside of quotes', () => {
  expect(asked({ text: "it's & !x | (y:*)" })).toBe(
    "('10:it' <-> '10:s') & '10:x' & ('10:y':*)".replace("('10:y':*)", "'10:y':*"),
  );
  expect(asked({ from: "o'neil\\@x.example" })).toBe(
    "('10.from:o''neil\\\\@x.example':* | ('10.from:o' <-> '10.from:neil' <-> '10.from:x' <-> '10.from:example':*))",
  );
});

it('tells nothing asked from nothing that can be found', () => {
  expect(asked({ sizeFrom: 1 })).toBeNull();
  expect(asked({ text: '!!!' })).toBe('');
  expect(asked({ text: 'x', from: ' ' })).toBe('');
});

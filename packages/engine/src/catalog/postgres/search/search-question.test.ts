import { expect, it } from 'vitest';
import { facetTerms } from './search-facets.ts';
import { NEIGHBOURS, question, TOGETHER } from './search-question.ts';

type Query = Omit<Parameters<typeof question>[1], 'limit'>;
const scope = { repository: 36, period: 40 };
const asked = (query: Query) => question(scope, { limit: 1, ...query }, NEIGHBOURS);
const facets = (query: Query, objects: number[] | null = null) => facetTerms(scope, { limit: 1, ...query }, objects);

it('asks for all words, each of its repository and period; only the last may be a beginning', () => {
  expect(asked({ text: 'Annual Budget' })).toBe("'10-14:annual' & '10-14:budget':*");
});

it('asks for neighbours where words are in quotes or without a space between them', () => {
  expect(asked({ text: '"annual budget" a.pdf' })).toBe(
    "('10-14:annual' <-> '10-14:budget') & ('10-14:a' <-> '10-14:pdf':*)",
  );
  expect(asked({ text: 'new "annual budget' })).toBe("'10-14:new' & ('10-14:annual' <-> '10-14:budget')");
});

it('asks for the same words anywhere where the index is to answer alone', () => {
  expect(question(scope, { limit: 1, text: '"annual budget" a.pdf', from: 'ada@x.example' }, TOGETHER)).toBe(
    "('10-14:annual' & '10-14:budget') & ('10-14:a' & '10-14:pdf':*) & ('10-14.from:ada@x.example':* | ('10-14.from:ada' & '10-14.from:x' & '10-14.from:example':*))",
  );
});

it('asks a field for its own words, and people for addresses or parts of them', () => {
  expect(asked({ subject: 'offer' })).toBe("'10-14.subject:offer':*");
  expect(asked({ from: 'Ada <ada@contoso.example>' })).toBe(
    "'10-14.from:ada':* & ('10-14.from:ada@contoso.example':* | ('10-14.from:ada' <-> '10-14.from:contoso' <-> '10-14.from:example':*))",
  );
  expect(asked({ to: '@contoso.example,' })).toBe(
    "('10-14.to:contoso.example':* | ('10-14.to:contoso' <-> '10-14.to:example':*))",
  );
});

it('asks the index of words for kinds, attachments, few objects and classes of sizes that hold all sizes asked for', () => {
  expect(facets({ kinds: ['tab', 'app'] })).toEqual(["('10-14.kind:tab' | '10-14.kind:app')"]);
  expect(facets({ hasAttachments: false }, [5])).toEqual(["'10-14.attachments:no'", "'10-14.object:5'"]);
  expect(facets({ sizeFrom: 61_000, sizeTo: 270_000 })).toEqual([
    "('10-14.size:254' | '10-14.size:255' | '10-14.size:x16' | '10-14.size:x17' | '10-14.size:288')",
  ]);
  expect(facets({ sizeFrom: 2 ** 40 })).toEqual(["'10-14.size:x33'"]);
  expect(facets({ sizeFrom: 3 })).toEqual([]);
  expect(
    facets(
      {},
      Array.from({ length: 21 }, (_, at) => at),
    ),
  ).toEqual([]);
});

it('leaves no sign of the text outside of quotes', () => {
  expect(asked({ text: "it's & !x | (y:*)" })).toBe(
    "('10-14:it' <-> '10-14:s') & '10-14:x' & ('10-14:y':*)".replace("('10-14:y':*)", "'10-14:y':*"),
  );
  expect(asked({ from: "o'neil\\@x.example" })).toBe(
    "('10-14.from:o''neil\\\\@x.example':* | ('10-14.from:o' <-> '10-14.from:neil' <-> '10-14.from:x' <-> '10-14.from:example':*))",
  );
});

it('distinguishes a search without conditions on words from one that can find nothing', () => {
  expect(asked({ sizeFrom: 1 })).toBeNull();
  expect(asked({ text: '!!!' })).toBe('');
  expect(asked({ text: 'x', from: ' ' })).toBe('');
});

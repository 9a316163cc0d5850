import { expect, test } from 'vitest';
import { FILL_LEVELS, fillLevelOf } from './fill-level.ts';

test('warns before it alarms: at a tenth free, and at a twentieth', () => {
  expect(fillLevelOf(0.89)).toEqual({ word: null, urgency: 'none' });
  expect(fillLevelOf(0.9)).toMatchObject({ word: 'filling up', urgency: 'soon' });
  expect(fillLevelOf(0.949)).toMatchObject({ word: 'filling up', urgency: 'soon' });
  expect(fillLevelOf(0.95)).toMatchObject({ word: 'nearly full', urgency: 'now' });
});

test('calls full only what has nothing free', () => {
  expect(fillLevelOf(0.9999).word).toBe('nearly full');
  expect(fillLevelOf(1)).toEqual({ word: 'full', urgency: 'now' });
  expect(fillLevelOf(1.2)).toEqual({ word: 'full', urgency: 'now' });
});

test('says nothing of what is not known', () => {
  expect(fillLevelOf(null)).toEqual({ word: null, urgency: 'none' });
});

test('every level has its own word, so that it is clear without colours', () => {
  expect(new Set(FILL_LEVELS.map(({ word }) => word)).size).toBe(FILL_LEVELS.length);
});

import { expect, test } from 'vitest';
import * as places from '../entities/places.ts';
import { companies, dailyChecks, setup } from '../entities/places.ts';
import { declarePlace } from './place.ts';
import { ScreenLink } from './screen-link.tsx';

// Compiled, not run: each of these lines has to be an error.
export function refused() {
  // @ts-expect-error a place that is not there
  void places.nowhere;
  // @ts-expect-error an address in place of a target
  void (<ScreenLink to="/monitoring/nowhere">Nowhere</ScreenLink>);
  // @ts-expect-error something that the place's address cannot say
  void companies.at({ colour: 'blue' });
  // @ts-expect-error a value that the filter does not know
  void dailyChecks.at({ state: 'perhaps' });
  // @ts-expect-error without its parameter
  void setup.at();
  // @ts-expect-error with another parameter
  void setup.at({ id: 'a' });
  // @ts-expect-error neither conditions of its own nor those of a parent
  void declarePlace({ path: '/monitoring/open' });
}

test('what is declared can be linked', () => {
  expect(dailyChecks.at({ state: 'all', job: ['a'] }).search).toEqual({ state: 'all', job: ['a'] });
});

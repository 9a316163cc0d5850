import type { Branding } from './branding.ts';
import { CONTRAST_MIN, contrast, mix } from './colours.ts';

/** Ten shades of an accent, light to dark. 6 and 7 work below white text, 7 as text on light grounds, 4 as text on dark ones. */
export type Shades = readonly string[];

/** Each layout's accent. */
const ACCENTS: Readonly<Record<Branding['layout'], Shades>> = {
  keepwatch: [
    '#eef4ff',
    '#dbe6fe',
    '#bcd1fd',
    '#92b3fa',
    '#6d98f6',
    '#4a7cf0',
    '#2f66e4',
    '#2456cc',
    '#2049a8',
    '#1e4087',
  ],
  vmo: ['#e9f7f8', '#d2edef', '#a8dbe0', '#76c4cc', '#4aaab5', '#2b909c', '#1a7a86', '#12666f', '#12545c', '#12464c'],
  'hunter-tech': [
    '#eef7ee',
    '#dcedda',
    '#bcdcb9',
    '#93c48f',
    '#6cac68',
    '#4d9449',
    '#3a7e37',
    '#2f6a2d',
    '#285727',
    '#224821',
  ],
  'different-dev': [
    '#f5f1fe',
    '#e9e0fd',
    '#d4c3fa',
    '#b89bf5',
    '#9d77ee',
    '#8757e4',
    '#7440d3',
    '#6432b8',
    '#532b97',
    '#45267a',
  ],
  managecast: [
    '#fff3ec',
    '#fee3d3',
    '#fcc5a5',
    '#f7a073',
    '#ef7f47',
    '#e06427',
    '#c75117',
    '#a84312',
    '#883713',
    '#6f2f13',
  ],
};

const WHITE = '#ffffff';
const BLACK = '#000000';
/** The darkest ground of the light scheme that accented text is on, and the lightest one of the dark scheme. */
const LIGHT_GROUND = '#f0f2f5';
const DARK_GROUND = '#1d2129';

/** The shades of a brand: of its own accent if it has one, else of its layout's. */
export function accentShades({ accent, layout }: { accent: string | null; layout: Branding['layout'] }): Shades {
  return accent === null ? ACCENTS[layout] : shadesOf(accent);
}

/** Shades of any colour. One that is too light or too dark to be read is darkened or lightened as far as its text needs. */
function shadesOf(accent: string): Shades {
  const fill = readable(accent, BLACK, LIGHT_GROUND);
  const bright = readable(accent, WHITE, DARK_GROUND);
  const light = [0.93, 0.86, 0.7, 0.45].map((part) => mix(accent, WHITE, part));
  return [...light, bright, mix(bright, fill, 0.5), fill, fill, mix(fill, BLACK, 0.18), mix(fill, BLACK, 0.35)];
}

/** The colour with as much of `toward` in it as text on `ground` needs. */
function readable(colour: string, toward: string, ground: string): string {
  const steps = Array.from({ length: 51 }, (_, step) => mix(colour, toward, step / 50));
  return steps.find((step) => contrast(step, ground) >= CONTRAST_MIN) ?? toward;
}

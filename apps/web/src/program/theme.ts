import type { Branding } from '@keepwatch/contract/branding/branding';
import type { MantineColorsTuple, MantineThemeOverride } from '@mantine/core';

/** Each layout's accent, light to dark. 7 works below white text and as text on white, both at 4.5 : 1 or more. */
const ACCENTS: Readonly<Record<Branding['layout'], MantineColorsTuple>> = {
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

/** The dark scheme's greys, text to ground, with the blue of kit/tokens.css in them. */
const DARK: MantineColorsTuple = [
  '#e4e7ec',
  '#c3c9d3',
  '#98a1b0',
  '#737c8c',
  '#353b46',
  '#23272f',
  '#1d2129',
  '#171a20',
  '#0f1115',
  '#0b0d10',
];

const FONT =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif, 'Apple Color Emoji'";

/** The component library in the portal's density: 13 px text, controls 30 px high, little rounding. */
export function createPortalTheme(layout: Branding['layout']): MantineThemeOverride {
  return {
    colors: { accent: ACCENTS[layout], dark: DARK },
    primaryColor: 'accent',
    primaryShade: { light: 7, dark: 6 },
    fontFamily: FONT,
    headings: { fontFamily: FONT, fontWeight: '600' },
    fontSizes: { xs: '0.8125rem', sm: '0.8125rem', md: '0.875rem' },
    defaultRadius: 6,
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
      Button: { defaultProps: { size: 'xs' } },
      Checkbox: { defaultProps: { size: 'xs' } },
      NativeSelect: { defaultProps: { size: 'xs' } },
      Radio: { defaultProps: { size: 'xs' } },
      SegmentedControl: { defaultProps: { size: 'xs' } },
      Select: { defaultProps: { size: 'xs' } },
      Switch: { defaultProps: { size: 'xs' } },
      TextInput: { defaultProps: { size: 'xs' } },
      Textarea: { defaultProps: { size: 'xs' } },
    },
  };
}

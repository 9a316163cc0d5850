import type { Branding } from '@keepwatch/contract/branding/branding';
import { colorsTuple, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core';

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
export function createPortalTheme({ accentShades }: Pick<Branding, 'accentShades'>): MantineThemeOverride {
  return {
    colors: { accent: colorsTuple(accentShades), dark: DARK },
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

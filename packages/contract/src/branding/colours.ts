/** Contrast of text with its ground that WCAG 2 wants for text of ordinary size (level AA). */
export const CONTRAST_MIN = 4.5;

/** Contrast of two colours (`#1a2b3c`) as WCAG 2 defines it: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** `one` with a part (0 to 1) of `other` in it. */
export function mix(one: string, other: string, part: number): string {
  const base = partsOf(one);
  const mixed = partsOf(other).map((value, at) => (base[at] ?? 0) * (1 - part) + value * part);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(hex).map((value) => {
    const part = value / 255;
    return part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function partsOf(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

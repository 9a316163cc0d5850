import type { CSSProperties } from 'react';

/** CSS variables as a `style`; React's type of it knows only the standard's own properties. */
export function styleVariables(variables: Readonly<Record<`--${string}`, string | number>>): CSSProperties {
  return variables;
}

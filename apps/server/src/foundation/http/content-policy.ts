/** What the pages of one brand may load besides the portal's own. */
export interface OutsideAddresses {
  /** Shown in a frame of its own. */
  frame?: string | undefined;
  /** Loaded as a program, which may send what it measures to its own host. */
  script?: string | undefined;
}

/** What a page may load and where it may be shown, as browsers are asked to enforce it. */
export function contentPolicy({ frame, script }: OutsideAddresses = {}): string {
  return [
    "default-src 'self'",
    // Mantine writes its colour variables into a style element.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    `connect-src 'self'${script === undefined ? '' : ` ${new URL(script).origin}`}`,
    ...(script === undefined ? [] : [`script-src 'self' ${sourceOf(script)}`]),
    ...(frame === undefined ? [] : [`frame-src ${sourceOf(frame)}`]),
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';');
}

/** An address as a policy names it: exactly this path. A sign that would end the directive is escaped. */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`.replace(/[;,'"]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns the address at which the users of a brand open the portal: its host name where that is one that can be typed, otherwise the
 * address of the portal as it is.
 */
export function portalAddress(publicUrl: string, { domain }: { domain: string }): string {
  const url = new URL(publicUrl);
  if (domain.includes('.')) url.hostname = domain;
  return url.href;
}

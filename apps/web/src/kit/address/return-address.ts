/**
 * The address to go on to after signing in, as given in `?next=`. Only addresses of this portal: anything with a
 * host of its own (`//elsewhere`, `/\elsewhere`) would make the sign-in page a way to lead people astray. Browsers pass over tabs and line breaks.
 */
export function returnAddress(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])\P{Cc}*$/u.test(next)) return '/';
  return next.startsWith('/login') ? '/' : next;
}

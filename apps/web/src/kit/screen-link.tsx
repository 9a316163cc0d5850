import { Link, type NavigateOptions, useNavigate, useParams } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { returnAddress } from './address/return-address.ts';
import { type DeclaredPlace, isOpen, type ParamsOf, type Place, type Target } from './place.ts';
import { useBranding, useSession } from './portal.tsx';

interface ScreenLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'className' | 'title'> {
  to: Target;
  /** Where it leads those to whom `to` is not open; nowhere unless given. */
  otherwise?: Target | undefined;
  className?: string | undefined;
  title?: string | undefined;
  /** Marks the link as the current one whatever the address says besides its path. */
  isCurrentByPath?: boolean;
  children?: ReactNode;
}

/** A link to a screen for users to whom it is open. Other users see its content only, as the link would be refused. */
export function ScreenLink({ to, otherwise = to, isCurrentByPath = false, title, children, ...rest }: ScreenLinkProps) {
  const mayOpen = useMayOpen(to.place);
  const target = mayOpen ? to : otherwise;
  const isAllowed = useMayOpen(target.place);
  const titled = title === undefined ? {} : { title };
  if (!isAllowed) {
    return (
      <span className={rest.className} {...titled}>
        {children}
      </span>
    );
  }
  return (
    <Link {...rest} {...titled} {...addressOf(target)} activeOptions={{ includeSearch: !isCurrentByPath }}>
      {children}
    </Link>
  );
}

/** Whether the place is open to the user. */
export function useMayOpen(place: Place): boolean {
  const session = useSession();
  const branding = useBranding();
  return isOpen(place, session?.user ?? null, branding);
}

/** Goes to a screen: `go(dailyChecks.at({ job: [id] }))`. */
export function useGo() {
  const navigate = useNavigate();
  return (to: Target, options: Pick<NavigateOptions, 'replace'> = {}) =>
    void navigate({ ...addressOf(to), ...options });
}

/** Goes on to the address that the visit was meant for: `?next=`, as far as it is one of this portal. */
export function useGoOn() {
  const navigate = useNavigate();
  return (next: unknown) => void navigate({ href: returnAddress(next), replace: true });
}

/** The parameters in the address of this place, for its own screen. */
export function usePlaceParams<Path extends `/${string}`>(_: DeclaredPlace<Path, unknown>): ParamsOf<Path> {
  // The router matched the screen by this path: each of its parameters is there.
  return useParams({ strict: false }) as ParamsOf<Path>;
}

function addressOf({ place, params, search }: Target) {
  return { to: place.path, params: { ...params }, search: { ...search } };
}

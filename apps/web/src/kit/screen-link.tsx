import type { Ability } from '@keepwatch/contract/abilities';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAllows } from './portal.tsx';

interface ScreenLinkProps {
  to: `/${string}`;
  search?: Readonly<Record<string, string | readonly string[]>>;
  /** What the screen it leads to asks for. */
  ability: Ability | readonly Ability[];
  className?: string | undefined;
  title?: string;
  children: ReactNode;
}

/** A link to a screen for users who may open it. Other users see its content only, as the link would be refused. */
export function ScreenLink({ to, search = {}, ability, className, title, children }: ScreenLinkProps) {
  const isAllowed = useAllows(ability);
  if (!isAllowed) {
    return (
      <span className={className} title={title}>
        {children}
      </span>
    );
  }
  return (
    <Link to={to} search={{ ...search }} className={className} title={title}>
      {children}
    </Link>
  );
}

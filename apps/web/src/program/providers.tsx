import { type MantineColorScheme, type MantineColorSchemeManager, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Portal, PortalProvider } from '../kit/portal.tsx';
import { createPortalTheme } from './theme.ts';

interface ProvidersProps {
  portal: Portal;
  queries: QueryClient;
  colorSchemeManager: MantineColorSchemeManager;
  defaultColorScheme: MantineColorScheme;
  children: ReactNode;
}

/** Provides everything that components read from their context. */
export function Providers({ portal, queries, colorSchemeManager, defaultColorScheme, children }: ProvidersProps) {
  return (
    <MantineProvider
      theme={createPortalTheme(portal.branding)}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme={defaultColorScheme}
    >
      <QueryClientProvider client={queries}>
        <PortalProvider portal={portal}>{children}</PortalProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

import { directoryRoutes } from './directory/directory-routes.ts';
import { driveOpenRoutes } from './drives/open-routes.ts';
import { siteRoutes } from './sites/site-routes.ts';
import type { GraphRoute } from './wire/graph-call.ts';

/** What every folder answers below `/v1.0`. */
export const routes: readonly GraphRoute[] = [...directoryRoutes, ...siteRoutes];

/**
 * What every folder answers elsewhere without a token, such as pre-authenticated links to upload to and download from.
 * Paths start at the root; the caller has no permissions and belongs to the tenant `{tenant}` of the path.
 */
export const openRoutes: readonly GraphRoute[] = [...driveOpenRoutes];

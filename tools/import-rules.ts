/** Who may import whom (docs/architecture.md). Data: the check in wrong-imports.ts applies it. */

/** The server's capabilities, lowest first: imports go downward only. Equal numbers do not know each other. */
export const SERVER_LEVELS: Readonly<Record<string, number>> = {
  audit: 1,
  'backup-days': 2,
  branding: 2,
  connections: 2,
  directory: 3,
  identity: 4,
  notifications: 5,
  runs: 6,
  inventory: 7,
  schedules: 7,
  ingest: 8,
  executions: 9,
  companies: 10,
  faults: 10,
  insights: 10,
  sources: 10,
  watch: 10,
  'tool-reports': 11,
  microsoft365: 12,
  restore: 13,
  tickets: 13,
  billing: 14,
  accounting: 15,
  reports: 15,
  support: 16,
  search: 17,
  administration: 17,
  attention: 17,
};

export interface ImportRule {
  from: RegExp;
  /** An import that matches this and not `except` is refused. Project files only. */
  never: RegExp;
  except?: RegExp;
  why: string;
}

const OURS = /^(apps|packages|tools)\//;
const TEST = /(\.test\.tsx?|\/(testing|suites)\/.+|vitest\.config\.ts)$/;

/** Tests may reach for the sandbox and for each other's builders; the rules bind what ships. */
export function isTest(path: string): boolean {
  return TEST.test(path);
}

/** What the engine does: it asks ports, and receives the adapters behind them. */
const VERBS = 'backup|restore|browse|search|export|verify|proof|prune|erase|rebuild';

export const IMPORT_RULES: readonly ImportRule[] = [
  {
    from: /^packages\/contract\/src\//,
    never: OURS,
    except: /^packages\/contract\/src\//,
    why: 'the contract imports nothing of ours: server, browser and tests are built on it',
  },
  {
    from: /^packages\/embedded-database\/src\//,
    never: OURS,
    except: /^packages\/embedded-database\/src\//,
    why: 'the embedded database is below portal and engine, and knows neither',
  },
  {
    from: /^packages\/(sandbox|outlook-files)\/src\//,
    never: OURS,
    except: /^packages\/(sandbox|outlook-files)\/src\//,
    why: 'the sandbox and the Outlook files import nothing of ours: a mistake of the product must not be made a second time in what it is tested against',
  },
  {
    from: /^packages\/outlook-files\/checker\//,
    never: OURS,
    except: /^packages\/outlook-files\/checker\//,
    why: 'the checker of PST files shares nothing with their writer, so that an error of the one is not an error of the other',
  },
  {
    from: /^packages\/connectors\/src\/(?!base\/|ports\/|http\/|suites\/|registry)[^/]+\//,
    never: OURS,
    except: /^packages\/connectors\/src\/(?!suites\/|testing\/)[^/]+\//,
    why: 'a connector knows ports and the shared client, never another vendor, the server or the contract',
  },
  {
    from: /^packages\/connectors\/src\/(ports|http)\//,
    never: OURS,
    except: /^packages\/connectors\/src\/(base|ports|http)\//,
    why: 'ports and the shared client are below every connector',
  },
  {
    from: /^packages\/connectors\/src\/base\//,
    never: OURS,
    except: /^packages\/connectors\/src\/base\//,
    why: 'what every connector is made of is named after no port and no protocol',
  },
  {
    from: /^packages\/connectors\/src\/http\//,
    never: /^packages\/connectors\/src\/ports\//,
    why: 'the shared client serves every port and knows none',
  },
  {
    from: /^packages\/engine\/src\//,
    never: OURS,
    except: /^packages\/(engine|outlook-files|embedded-database)\/src\//,
    why: 'the engine runs without the portal and knows neither server, browser, contract nor connectors',
  },
  {
    from: new RegExp(`^packages/engine/src/(${VERBS})/`),
    never: /^packages\/engine\/src\/(store\/(folder|s3)|catalog\/postgres|source\/graph)\//,
    // The shapes of what a source stored, which export and restore read; nothing that opens a connection.
    except: /^packages\/engine\/src\/source\/graph\/(json|[a-z-]+\/[a-z]+-(item|fields))\.ts$/,
    why: 'a verb of the engine asks a port; only the command line and the server know which adapter is behind it',
  },
  {
    from: /^packages\/engine\/src\/store\//,
    never: /^packages\/engine\/src\/repository\//,
    why: 'a store keeps objects under names, and does not know of what they are part',
  },
  {
    // The benchmark of journals makes repositories of half a million runs from their parts.
    from: /^(?!packages\/(engine\/src\/(repository|cli)\/|bench\/src\/engine\/(journals|counted-store)\.ts))/,
    never: /^packages\/engine\/src\/repository\//,
    except: /^packages\/engine\/src\/repository\/(repository|open-repository|commit|chunk-index)\.ts$/,
    why: 'modules outside the repository use its entry points only',
  },
  {
    from: /^packages\/engine\/src\/model\//,
    never: /^packages\/engine\/src\//,
    except: /^packages\/engine\/src\/model\//,
    why: 'the model is what all of the engine speaks of, and knows nothing of it',
  },
  {
    from: /^apps\/web\/src\/shell\//,
    never: OURS,
    except: /^(apps\/web\/src\/(shell|entities|kit)\/|packages\/contract\/src\/)/,
    why: 'the shell uses entities, kit and contract, never a capability',
  },
  {
    from: /^apps\/web\/src\/entities\//,
    never: OURS,
    except: /^(apps\/web\/src\/(entities|kit)\/|packages\/contract\/src\/)/,
    why: 'what several screens share of a noun uses kit and contract, never a capability or the shell',
  },
  {
    from: /^apps\/web\/src\/kit\//,
    never: OURS,
    except: /^(apps\/web\/src\/kit\/|packages\/contract\/src\/)/,
    why: 'the kit uses the contract alone: it is below entities, shell and capabilities',
  },
  {
    from: /^apps\/web\/src\//,
    never: /^(apps\/server|packages\/(engine|connectors|sandbox|bench))\//,
    why: 'the browser knows the server through the contract alone',
  },
  {
    from: /^apps\/server\/src\/foundation\//,
    never: OURS,
    except: /^(apps\/server\/src\/foundation\/|packages\/contract\/src\/(wire\/|abilities|live-events|audit\/actions))/,
    why: 'the foundation has no word of the business',
  },
  {
    from: /^apps\/server\/src\/(?!foundation\/|program\/)[^/]+\//,
    never: /^packages\/(connectors\/src\/(?!base\/|ports\/)|sandbox)|^apps\/server\/src\/program\//,
    why: 'a capability asks a port; only the program knows which vendor is behind it',
  },
  {
    from: /^apps\/server\/src\/(?!program\/|microsoft365\/|restore\/)/,
    never: /^packages\/engine\//,
    why: 'only microsoft365 and restore know the engine',
  },
  {
    from: /^apps\/server\/src\//,
    never: /^apps\/web\//,
    why: 'the server does not know its screens',
  },
];

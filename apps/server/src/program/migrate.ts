import { migrateDatabase } from '../foundation/migrations.ts';

/** The launcher's first step: brings the database at DATABASE_URL to this version's schema. */
await migrateDatabase(process.env['DATABASE_URL'] ?? '');

-- The last pack that was compared with the store. Not from commits.
ALTER TABLE repositories ADD packs_compared integer NOT NULL DEFAULT 0;

-- Finds jobs by the beginnings of words in their names, those of one provider: with the provider as a word among them, a word that all
-- providers use costs no more than its own use. The expression is that of search/job-names.ts.
CREATE INDEX jobs_words ON jobs USING gin (to_tsvector('simple',
  'provider' || provider_id || ' ' || translate(name, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))));

-- A company of a console that a user unlinked keeps its row with the state 'unlinked', so that no sync links it again. Such rows do not
-- count for the rule that a company has one id in a connection.
DROP INDEX company_links_company;
--> statement-breakpoint
CREATE UNIQUE INDEX company_links_company ON company_links (provider_id, company_id, connection_id) WHERE state = 'linked';

-- An entry of an index has room for 2,704 bytes; the name of a site with the name of a library may be longer, and its row would be refused.
DROP INDEX objects_name;
CREATE INDEX objects_name ON objects (repository, left(lower(name), 200), left(name, 200), key);

-- A run brought a revision that a later run had brought already: what this catalog says of that object is not what another one says that heard of
-- them in their order.
ALTER TABLE repositories ADD is_out_of_order boolean NOT NULL DEFAULT false;

-- The latest of the runs, by their names, that brought a revision of it.
ALTER TABLE objects ADD newest_run text COLLATE "C" NOT NULL DEFAULT '';

-- Which generation of the repository the journals are of that were applied: a rebuild that accepts a loss begins a new one.
ALTER TABLE repositories ADD generation text NOT NULL DEFAULT '';

-- workload.sql: most of what SQLite does, for the shell's standard input.
-- total() is asked for once, over 30000 rows.
.bail off
CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT, c REAL);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
INSERT INTO t SELECT i, (i * 7919) % 10007, printf ('text %d', i % 97), i / 3.0 FROM n;
SELECT total (a) FROM t;
CREATE INDEX t_a ON t (a);
CREATE INDEX t_b ON t (b, c DESC);
ANALYZE;
SELECT count (*), min (a), max (a), group_concat (DISTINCT length (b)) FROM t;
SELECT b, count (*) AS n FROM t GROUP BY b HAVING n > 309 ORDER BY n DESC, b LIMIT 5;
SELECT x.id, y.id FROM t x JOIN t y ON x.a = y.a + 1 WHERE x.id % 500 = 0 ORDER BY 1, 2 LIMIT 10;
SELECT x.id, y.b FROM (SELECT * FROM t WHERE id <= 5) x LEFT JOIN t y ON y.id = x.id * 10000;
SELECT id, rank () OVER (PARTITION BY a % 5 ORDER BY c DESC) r, lag (a, 2, -1) OVER (ORDER BY id)
  FROM t WHERE id < 30 ORDER BY id LIMIT 12;
CREATE VIEW v AS SELECT id, upper (b) AS u, CASE WHEN a > 5000 THEN 'big' WHEN a > 100 THEN 'mid'
  ELSE 'small' END AS size FROM t;
SELECT size, count (*) FROM v GROUP BY size ORDER BY size;
SELECT * FROM v WHERE u LIKE '%9%' AND u GLOB 'TEXT [0-3]*' LIMIT 4;
CREATE TABLE log (what TEXT, id INT);
CREATE TRIGGER t_update AFTER UPDATE ON t BEGIN INSERT INTO log VALUES ('update', new.id); END;
CREATE TRIGGER t_delete BEFORE DELETE ON t WHEN old.id % 2 BEGIN
  INSERT INTO log VALUES ('delete', old.id); END;
BEGIN;
UPDATE t SET a = a + 1, b = b || '!' WHERE id BETWEEN 1000 AND 3000;
SAVEPOINT s;
DELETE FROM t WHERE id > 25000;
SELECT count (*) FROM t;
ROLLBACK TO s;
COMMIT;
DELETE FROM t WHERE id > 28000;
SELECT what, count (*) FROM log GROUP BY what;
INSERT INTO t (id, a) VALUES (1, 2);
INSERT INTO t (id, a) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET a = excluded.a * 10 RETURNING id, a;
REPLACE INTO t VALUES (2, 3, 'replaced', NULL);
SELECT * FROM t WHERE id <= 2;
SELECT * FROM no_such_table;
SELECT syntax error;
SELECT json_extract ('{"a": [1, 2, {"b": "c"}]}', '$.a[2].b'), json_array (1, 'x', NULL);
SELECT key, value FROM json_each ('[10, "twenty", null, {"k": 1.5}]');
CREATE VIRTUAL TABLE docs USING fts5 (body);
INSERT INTO docs SELECT printf ('the %s fox number %d jumps over dog %d',
  CASE id % 3 WHEN 0 THEN 'quick' WHEN 1 THEN 'slow' ELSE 'red' END, id, id % 11) FROM t WHERE id <= 2000;
SELECT count (*) FROM docs WHERE docs MATCH 'quick AND dog NOT 7';
SELECT snippet (docs, 0, '<', '>', '...', 4) FROM docs WHERE docs MATCH 'number NEAR jumps' LIMIT 2;
CREATE VIRTUAL TABLE boxes USING rtree (id, x0, x1, y0, y1);
INSERT INTO boxes SELECT id, id % 100, id % 100 + 3, id % 70, id % 70 + 2 FROM t WHERE id <= 3000;
SELECT count (*) FROM boxes WHERE x0 > 10 AND x1 < 30 AND y0 > 5 AND y1 < 40;
SELECT date ('2024-02-28', '+2 days'), strftime ('%j %W', '2024-12-31'), julianday ('2000-01-01');
SELECT hex (zeroblob (4)), quote (x'00ff'), substr ('abcdef', -3, 2), replace ('aXbX', 'X', 'yy'),
  round (2.567, 1), abs (-5), instr ('hello', 'l'), typeof (1.0), coalesce (NULL, 7), sqrt (2) > 1.41;
WITH RECURSIVE fact (n, f) AS (VALUES (1, 1) UNION ALL SELECT n + 1, f * (n + 1) FROM fact WHERE n < 15)
SELECT max (f) FROM fact;
SELECT a FROM t WHERE id IN (1, 2, 3) UNION SELECT a FROM t WHERE id = 4 EXCEPT SELECT 20 ORDER BY 1;
SELECT EXISTS (SELECT 1 FROM t WHERE a = 77), (SELECT b FROM t WHERE id = 9);
EXPLAIN QUERY PLAN SELECT * FROM t WHERE a = 5 AND c > 1 ORDER BY b;
ALTER TABLE t ADD COLUMN d DEFAULT 'new';
ALTER TABLE t RENAME COLUMN c TO cc;
SELECT id, cc, d FROM t WHERE id = 30 / 2;
DROP INDEX t_a;
VACUUM;
PRAGMA integrity_check;
.mode csv
SELECT id, a, b FROM t WHERE b LIKE 'text 1%' ORDER BY id LIMIT 3;
.mode box
SELECT id, a FROM t LIMIT 2;
.schema log

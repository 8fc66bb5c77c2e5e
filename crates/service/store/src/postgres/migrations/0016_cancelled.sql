-- How many of the failures that a day counts were cancelled by their owner. A node of the version before counts none.
ALTER TABLE usage ADD COLUMN cancelled bigint NOT NULL DEFAULT 0;

UPDATE usage u SET cancelled = c.generations
FROM (SELECT account, ended_at / 86400000000 AS day, model, count(*) AS generations
      FROM generations
      WHERE state = 'failed' AND failure LIKE '%"code":"generation_failed"%' AND failure LIKE '%"message":"cancelled"%'
      GROUP BY 1, 2, 3) c
WHERE u.account = c.account AND u.day = c.day AND u.model = c.model AND u.outcome = 'generation_failed';

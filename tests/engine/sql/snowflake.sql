-- dpdesk was never run with snowflake: these statements are compiled and no more. Check that texts
-- are compared by their bytes, sums have 64 bits, and the random number of a row is drawn once.
-- Nobody may change a table meanwhile: each is read in a statement of its own.
-- All columns are taken as texts. Names are quoted: name tables and columns as they are stored, most often in capitals. A text of more than 8 MB stops the statement.

CREATE TEMPORARY TABLE "dpdesk_read0" AS
SELECT
  TO_BINARY(CAST("t1"."weight" AS VARCHAR), 'UTF-8') AS "v0",
  TO_BINARY(CAST("t1"."ward" AS VARCHAR), 'UTF-8') AS "v1",
  TO_BINARY(CAST("t1"."sex" AS VARCHAR), 'UTF-8') AS "v2",
  TO_BINARY(CAST("t1"."dead" AS VARCHAR), 'UTF-8') AS "v3",
  TO_BINARY(CAST("t1"."drug" AS VARCHAR), 'UTF-8') AS "v4",
  TO_BINARY(CAST("t1"."pid" AS VARCHAR), 'UTF-8') AS "v5",
  UNIFORM(TO_DOUBLE(0.0), TO_DOUBLE(1.0), RANDOM()) AS "random_number"
FROM (
  SELECT
    *
  FROM "clinic"."stays" AS "t0"
) AS "t1";

SELECT DISTINCT
  "t0"."v5"
FROM "dpdesk_read0" AS "t0";

SELECT DISTINCT
  "t0"."v0"
FROM "dpdesk_read0" AS "t0";

-- The runner uploads dpdesk_codes0_v0 (v0_key, c0).

SELECT DISTINCT
  "t0"."v1"
FROM "dpdesk_read0" AS "t0";

-- The runner uploads dpdesk_codes0_v1 (v1_key, c1).

SELECT DISTINCT
  "t0"."v2"
FROM "dpdesk_read0" AS "t0";

-- The runner uploads dpdesk_codes0_v2 (v2_key, c2).

SELECT DISTINCT
  "t0"."v3"
FROM "dpdesk_read0" AS "t0";

-- The runner uploads dpdesk_codes0_v3 (v3_key, c3).

SELECT DISTINCT
  "t0"."v4"
FROM "dpdesk_read0" AS "t0";

-- The runner uploads dpdesk_codes0_v4 (v4_key, c4, c5).

-- The runner uploads dpdesk_codes0_person (v5_key, person).

CREATE TEMPORARY TABLE "dpdesk_ranked" AS
SELECT
  "t38".*
  EXCLUDE ("random_number")
FROM (
  SELECT
    "t37"."person",
    "t37"."random_number",
    "t37"."c0",
    "t37"."c1",
    "t37"."c2",
    "t37"."c3",
    "t37"."c4",
    "t37"."c5",
    ROW_NUMBER() OVER (
      PARTITION BY "t37"."person"
      ORDER BY "t37"."random_number" ASC, "t37"."c0" ASC, "t37"."c1" ASC, "t37"."c2" ASC, "t37"."c3" ASC, "t37"."c4" ASC, "t37"."c5" ASC
    ) - 1 AS "place"
  FROM (
    SELECT
      "t36"."person",
      "t36"."random_number",
      "t36"."c0",
      "t36"."c1",
      "t36"."c2",
      "t36"."c3",
      "t36"."c4",
      "t36"."c5"
    FROM (
      SELECT
        "t35".*
        EXCLUDE ("v5_key")
      FROM (
        SELECT
          "t34"."v0",
          "t34"."v1",
          "t34"."v2",
          "t34"."v3",
          "t34"."v4",
          "t34"."v5",
          "t34"."random_number",
          "t34"."c0",
          "t34"."c1",
          "t34"."c2",
          "t34"."c3",
          "t34"."c4",
          "t34"."c5",
          "t34"."v5_key",
          IFF("t34"."v5" IS NULL, -2, "t34"."person") AS "person"
        FROM (
          SELECT
            "t33"."v0",
            "t33"."v1",
            "t33"."v2",
            "t33"."v3",
            "t33"."v4",
            "t33"."v5",
            "t33"."random_number",
            "t33"."c0",
            "t33"."c1",
            "t33"."c2",
            "t33"."c3",
            "t33"."c4",
            "t33"."c5",
            "t7"."v5_key",
            "t7"."person"
          FROM (
            SELECT
              "t31".*
              EXCLUDE ("v4_key")
            FROM (
              SELECT
                "t30"."v0",
                "t30"."v1",
                "t30"."v2",
                "t30"."v3",
                "t30"."v4",
                "t30"."v5",
                "t30"."random_number",
                "t30"."c0",
                "t30"."c1",
                "t30"."c2",
                "t30"."c3",
                "t30"."v4_key",
                IFF("t30"."v4" IS NULL, -1, "t30"."c4") AS "c4",
                IFF("t30"."v4" IS NULL, -1, "t30"."c5") AS "c5"
              FROM (
                SELECT
                  "t29"."v0",
                  "t29"."v1",
                  "t29"."v2",
                  "t29"."v3",
                  "t29"."v4",
                  "t29"."v5",
                  "t29"."random_number",
                  "t29"."c0",
                  "t29"."c1",
                  "t29"."c2",
                  "t29"."c3",
                  "t8"."v4_key",
                  "t8"."c4",
                  "t8"."c5"
                FROM (
                  SELECT
                    "t27".*
                    EXCLUDE ("v3_key")
                  FROM (
                    SELECT
                      "t26"."v0",
                      "t26"."v1",
                      "t26"."v2",
                      "t26"."v3",
                      "t26"."v4",
                      "t26"."v5",
                      "t26"."random_number",
                      "t26"."c0",
                      "t26"."c1",
                      "t26"."c2",
                      "t26"."v3_key",
                      IFF("t26"."v3" IS NULL, -1, "t26"."c3") AS "c3"
                    FROM (
                      SELECT
                        "t25"."v0",
                        "t25"."v1",
                        "t25"."v2",
                        "t25"."v3",
                        "t25"."v4",
                        "t25"."v5",
                        "t25"."random_number",
                        "t25"."c0",
                        "t25"."c1",
                        "t25"."c2",
                        "t9"."v3_key",
                        "t9"."c3"
                      FROM (
                        SELECT
                          "t23".*
                          EXCLUDE ("v2_key")
                        FROM (
                          SELECT
                            "t22"."v0",
                            "t22"."v1",
                            "t22"."v2",
                            "t22"."v3",
                            "t22"."v4",
                            "t22"."v5",
                            "t22"."random_number",
                            "t22"."c0",
                            "t22"."c1",
                            "t22"."v2_key",
                            IFF("t22"."v2" IS NULL, -1, "t22"."c2") AS "c2"
                          FROM (
                            SELECT
                              "t21"."v0",
                              "t21"."v1",
                              "t21"."v2",
                              "t21"."v3",
                              "t21"."v4",
                              "t21"."v5",
                              "t21"."random_number",
                              "t21"."c0",
                              "t21"."c1",
                              "t10"."v2_key",
                              "t10"."c2"
                            FROM (
                              SELECT
                                "t19".*
                                EXCLUDE ("v1_key")
                              FROM (
                                SELECT
                                  "t18"."v0",
                                  "t18"."v1",
                                  "t18"."v2",
                                  "t18"."v3",
                                  "t18"."v4",
                                  "t18"."v5",
                                  "t18"."random_number",
                                  "t18"."c0",
                                  "t18"."v1_key",
                                  IFF("t18"."v1" IS NULL, -1, "t18"."c1") AS "c1"
                                FROM (
                                  SELECT
                                    "t17"."v0",
                                    "t17"."v1",
                                    "t17"."v2",
                                    "t17"."v3",
                                    "t17"."v4",
                                    "t17"."v5",
                                    "t17"."random_number",
                                    "t17"."c0",
                                    "t11"."v1_key",
                                    "t11"."c1"
                                  FROM (
                                    SELECT
                                      "t15".*
                                      EXCLUDE ("v0_key")
                                    FROM (
                                      SELECT
                                        "t14"."v0",
                                        "t14"."v1",
                                        "t14"."v2",
                                        "t14"."v3",
                                        "t14"."v4",
                                        "t14"."v5",
                                        "t14"."random_number",
                                        "t14"."v0_key",
                                        IFF("t14"."v0" IS NULL, -1, "t14"."c0") AS "c0"
                                      FROM (
                                        SELECT
                                          "t12"."v0",
                                          "t12"."v1",
                                          "t12"."v2",
                                          "t12"."v3",
                                          "t12"."v4",
                                          "t12"."v5",
                                          "t12"."random_number",
                                          "t13"."v0_key",
                                          "t13"."c0"
                                        FROM "dpdesk_read0" AS "t12"
                                        LEFT OUTER JOIN "dpdesk_codes0_v0" AS "t13"
                                          ON "t12"."v0" = "t13"."v0_key"
                                      ) AS "t14"
                                    ) AS "t15"
                                  ) AS "t17"
                                  LEFT OUTER JOIN "dpdesk_codes0_v1" AS "t11"
                                    ON "t17"."v1" = "t11"."v1_key"
                                ) AS "t18"
                              ) AS "t19"
                            ) AS "t21"
                            LEFT OUTER JOIN "dpdesk_codes0_v2" AS "t10"
                              ON "t21"."v2" = "t10"."v2_key"
                          ) AS "t22"
                        ) AS "t23"
                      ) AS "t25"
                      LEFT OUTER JOIN "dpdesk_codes0_v3" AS "t9"
                        ON "t25"."v3" = "t9"."v3_key"
                    ) AS "t26"
                  ) AS "t27"
                ) AS "t29"
                LEFT OUTER JOIN "dpdesk_codes0_v4" AS "t8"
                  ON "t29"."v4" = "t8"."v4_key"
              ) AS "t30"
            ) AS "t31"
          ) AS "t33"
          LEFT OUTER JOIN "dpdesk_codes0_person" AS "t7"
            ON "t33"."v5" = "t7"."v5_key"
        ) AS "t34"
      ) AS "t35"
    ) AS "t36"
    WHERE
      (
        "t36"."person" IS NULL
      ) OR (
        "t36"."person" <> -1
      )
  ) AS "t37"
) AS "t38";

SELECT
  SUM(CAST(LEAST("t1"."n", 3) AS BIGINT)) AS "wanted",
  SUM(CAST("t1"."kept" AS BIGINT)) AS "kept",
  MAX("t1"."kept") AS "most",
  SUM(CAST("t1"."lacking" AS BIGINT)) AS "lacking",
  COUNT(*) AS "people"
FROM (
  SELECT
    "t0"."person",
    COUNT(*) AS "n",
    SUM(CAST(IFF("t0"."place" < 3, 1, 0) AS BIGINT)) AS "kept",
    SUM(
      CAST(IFF(
        (
          "t0"."person" IS NULL
        )
        OR (
          "t0"."c0" IS NULL
        )
        OR (
          "t0"."c1" IS NULL
        )
        OR (
          "t0"."c2" IS NULL
        )
        OR (
          "t0"."c3" IS NULL
        )
        OR (
          "t0"."c4" IS NULL
        )
        OR (
          "t0"."c5" IS NULL
        )
        OR (
          "t0"."place" IS NULL
        ),
        1,
        0
      ) AS BIGINT)
    ) AS "lacking"
  FROM "dpdesk_ranked" AS "t0"
  GROUP BY
    1
) AS "t1";

SELECT
  "t1"."c1",
  "t1"."c3",
  COUNT(*) AS "times"
FROM (
  SELECT
    *
  FROM "dpdesk_ranked" AS "t0"
  WHERE
    "t0"."place" < 3
) AS "t1"
GROUP BY
  1,
  2;

-- The runner uploads dpdesk_cells_1 (k0, k1, cell).

SELECT
  "t6"."cell",
  COUNT(DISTINCT "t6"."person") AS "n"
FROM (
  SELECT
    *
  FROM (
    SELECT
      "t4"."person",
      "t4"."c0",
      "t4"."c1",
      "t4"."c2",
      "t4"."c3",
      "t4"."c4",
      "t4"."c5",
      "t4"."place",
      "t2"."cell"
    FROM (
      SELECT
        *
      FROM "dpdesk_ranked" AS "t0"
      WHERE
        "t0"."place" < 3
    ) AS "t4"
    INNER JOIN "dpdesk_cells_1" AS "t2"
      ON "t4"."c1" = "t2"."k0" AND "t4"."c3" = "t2"."k1"
  ) AS "t5"
  WHERE
    "t5"."cell" <> -1
) AS "t6"
GROUP BY
  1;

SELECT
  "t1"."c0",
  "t1"."c2",
  "t1"."c1",
  "t1"."c3",
  COUNT(*) AS "times"
FROM (
  SELECT
    *
  FROM "dpdesk_ranked" AS "t0"
  WHERE
    "t0"."place" < 3
) AS "t1"
GROUP BY
  1,
  2,
  3,
  4;

SELECT
  "t1"."c5",
  COUNT(DISTINCT "t1"."person") AS "n"
FROM (
  SELECT
    "t0"."person",
    "t0"."c0",
    "t0"."c1",
    "t0"."c2",
    "t0"."c3",
    "t0"."c4",
    "t0"."c5",
    "t0"."place",
    0 AS "cell"
  FROM "dpdesk_ranked" AS "t0"
  WHERE
    "t0"."place" < 3 AND 0 <> -1 AND "t0"."c5" >= 0
) AS "t1"
GROUP BY
  1;

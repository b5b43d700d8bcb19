import { type Kysely, sql } from "kysely";
import type { TableDialect } from "./create-tables.ts";
import { describeIndexes } from "./statistics.ts";

/** Finds the comments of one author in the queue. Decided comments of earlier versions are found in the log. */
export async function addCommentAuthors(db: Kysely<unknown>, dialect: TableDialect) {
  const word = dialect === "postgres" ? 'text collate "C"' : "text";
  const authorId =
    dialect === "postgres"
      ? "data::json #>> '{comment,authorId}'"
      : "json_extract(data, '$.comment.authorId')";
  await sql.raw(`alter table held_comments add column author_id ${word}`).execute(db);
  await sql
    .raw(`update held_comments set author_id = ${authorId} where ended_at is null`)
    .execute(db);
  await sql
    .raw(
      `create index held_comments_by_author_id on held_comments (server_id, author_id, published_at)
          where author_id is not null`,
    )
    .execute(db);
  if (dialect === "sqlite") await describeIndexes(db);
}

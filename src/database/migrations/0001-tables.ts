import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Dialect } from "../dialect.ts";

/** The first schema. A migration is never changed once it was released: what comes later is another file. */
export const createTables = (dialect: Dialect): Migration => ({
  async up({ schema }: Kysely<never>) {
    const isPostgres = dialect === "postgres";
    /** Ids and words compare by their bytes on both databases, so that pages follow each other. */
    const text = isPostgres ? sql`text collate "C"` : sql`text`;
    const owned = (name: string) =>
      schema
        .createTable(name)
        .addColumn("server_id", "bigint", (column) =>
          column.notNull().references("servers.id").onDelete("cascade"),
        );

    await schema
      .createTable("servers")
      .addColumn("id", isPostgres ? "bigserial" : "integer", (column) =>
        isPostgres ? column.primaryKey() : column.primaryKey().autoIncrement(),
      )
      .addColumn("guild_id", text, (column) => column.notNull().unique())
      .addColumn("added_at", "bigint", (column) => column.notNull())
      .execute();

    await schema
      .createTable("keyv")
      .addColumn("key", text, (column) => column.primaryKey())
      .addColumn("server_id", "bigint", (column) =>
        column.references("servers.id").onDelete("cascade"),
      )
      .addColumn("value", "text", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .execute();
    await index("keyv", ["server_id"]);
    await index("keyv", ["expires_at"]);

    await owned("linked_channels")
      .addColumn("channel_id", text, (column) => column.notNull())
      .addColumn("is_broken", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("linked_channels_key", ["server_id", "channel_id"])
      .execute();
    await index("linked_channels", ["channel_id"]);

    await schema
      .createTable("revocations")
      .addColumn("id", text, (column) => column.primaryKey())
      .addColumn("channel_id", text)
      .addColumn("token", "text", (column) => column.notNull())
      .addColumn("added_at", "bigint", (column) => column.notNull())
      .addColumn("due_at", "bigint", (column) => column.notNull())
      .execute();
    await index("revocations", ["channel_id"]);

    await owned("watches")
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("source", text, (column) => column.notNull())
      .addColumn("is_paused", "integer", (column) => column.notNull())
      .addColumn("added_at", "bigint", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("progress", "text", (column) => column.notNull().defaultTo("{}"))
      .addPrimaryKeyConstraint("watches_key", ["server_id", "id"])
      .execute();

    await owned("held_comments")
      .addColumn("watch_id", text, (column) => column.notNull())
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("source", text, (column) => column.notNull())
      .addColumn("status", text, (column) => column.notNull())
      .addColumn("published_at", "bigint", (column) => column.notNull())
      .addColumn("due_at", "bigint")
      .addColumn("card_state", text, (column) => column.notNull())
      .addColumn("needs_drawing", "integer", (column) => column.notNull())
      .addColumn("digest_id", text)
      .addColumn("likeness", text)
      .addColumn("read_at", "bigint", (column) => column.notNull())
      .addColumn("ended_at", "bigint")
      .addColumn("has_text", "integer", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("held_comments_key", ["server_id", "watch_id", "id"])
      .addForeignKeyConstraint(
        "held_comments_watch",
        ["server_id", "watch_id"],
        "watches",
        ["server_id", "id"],
        (constraint) => constraint.onDelete("cascade"),
      )
      .execute();
    await index("held_comments", ["server_id", "id"]);
    await index("held_comments", ["server_id", "watch_id", "status", "published_at"]);
    await index("held_comments", ["server_id", "source", "status", "due_at"]);
    await index("held_comments", ["server_id", "watch_id", "card_state"]);
    await index("held_comments", ["server_id", "watch_id", "needs_drawing"]);
    await index("held_comments", ["server_id", "watch_id", "digest_id"]);
    await index("held_comments", ["server_id", "likeness", "published_at"]);
    await index("held_comments", ["ended_at"]);
    await index("held_comments", ["has_text", "read_at"]);

    await owned("digests")
      .addColumn("watch_id", text, (column) => column.notNull())
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("card_state", text, (column) => column.notNull())
      .addColumn("needs_drawing", "integer", (column) => column.notNull())
      .addColumn("added_at", "bigint", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("digests_key", ["server_id", "watch_id", "id"])
      .addForeignKeyConstraint(
        "digests_watch",
        ["server_id", "watch_id"],
        "watches",
        ["server_id", "id"],
        (constraint) => constraint.onDelete("cascade"),
      )
      .execute();
    await index("digests", ["server_id", "watch_id", "card_state"]);
    await index("digests", ["added_at"]);

    await owned("authors")
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("seen", "integer", (column) => column.notNull())
      .addColumn("approved", "integer", (column) => column.notNull())
      .addColumn("rejected", "integer", (column) => column.notNull())
      .addColumn("last_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("authors_key", ["server_id", "id"])
      .execute();
    await index("authors", ["last_at"]);

    await owned("audit_log")
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("act", text, (column) => column.notNull())
      .addColumn("user_id", text)
      .addColumn("comment_id", text, (column) => column.notNull())
      .addColumn("author_id", text)
      .addColumn("author_name", "text")
      .addColumn("has_text", "integer", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("audit_log_key", ["server_id", "id"])
      .execute();
    await index("audit_log", ["server_id", "user_id", "id"]);
    await index("audit_log", ["server_id", "act", "id"]);
    await index("audit_log", ["server_id", "author_id", "id"]);
    await index("audit_log", ["server_id", "comment_id", "id"]);
    await index("audit_log", ["at"]);
    await index("audit_log", ["has_text", "at"]);

    await owned("rule_books")
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("rule_books_key", ["server_id"])
      .execute();

    await owned("saved_replies")
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("name_key", text, (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("saved_replies_key", ["server_id", "id"])
      .addUniqueConstraint("saved_replies_name", ["server_id", "name_key"])
      .execute();

    await owned("feeds")
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("source", text, (column) => column.notNull())
      .addColumn("is_paused", "integer", (column) => column.notNull())
      .addColumn("added_at", "bigint", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("progress", "text", (column) => column.notNull().defaultTo("{}"))
      .addPrimaryKeyConstraint("feeds_key", ["server_id", "id"])
      .execute();

    await owned("announcements")
      .addColumn("feed_id", text, (column) => column.notNull())
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("video_id", text, (column) => column.notNull())
      .addColumn("state", text, (column) => column.notNull())
      .addColumn("look_at", "bigint")
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("announcements_key", ["server_id", "feed_id", "id"])
      .addForeignKeyConstraint(
        "announcements_feed",
        ["server_id", "feed_id"],
        "feeds",
        ["server_id", "id"],
        (constraint) => constraint.onDelete("cascade"),
      )
      .execute();
    await index("announcements", ["server_id", "feed_id", "state", "look_at"]);
    await index("announcements", ["server_id", "feed_id", "at"]);

    await owned("spending")
      .addColumn("project", text, (column) => column.notNull())
      .addColumn("day", text, (column) => column.notNull())
      .addColumn("bucket", text, (column) => column.notNull())
      .addColumn("user_id", text, (column) => column.notNull())
      .addColumn("command", text, (column) => column.notNull())
      .addColumn("method", text, (column) => column.notNull())
      .addColumn("purpose", text, (column) => column.notNull())
      .addColumn("amount", "bigint", (column) => column.notNull())
      .addColumn("count", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("spending_key", [
        "server_id",
        "day",
        "project",
        "bucket",
        "user_id",
        "command",
        "method",
        "purpose",
      ])
      .execute();
    await index("spending", ["project", "day", "bucket"]);
    await index("spending", ["day"]);

    await schema
      .createTable("quota")
      .addColumn("project", text, (column) => column.notNull())
      .addColumn("day", text, (column) => column.notNull())
      .addColumn("bucket", text, (column) => column.notNull())
      .addColumn("used", "bigint", (column) => column.notNull())
      .addColumn("lent", "bigint", (column) => column.notNull())
      .addColumn("is_empty", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("quota_key", ["project", "day", "bucket"])
      .execute();
    await index("quota", ["day"]);

    await schema
      .createTable("jobs")
      .addColumn("queue", text, (column) => column.notNull())
      .addColumn("key", text, (column) => column.notNull())
      .addColumn("server_id", "bigint", (column) =>
        column.references("servers.id").onDelete("cascade"),
      )
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("due_at", "bigint", (column) => column.notNull())
      .addColumn("wanted_at", "bigint")
      .addColumn("tries", "integer", (column) => column.notNull())
      .addColumn("locked_by", text)
      .addColumn("locked_until", "bigint")
      .addColumn("parked_at", "bigint")
      .addColumn("failure", text)
      .addPrimaryKeyConstraint("jobs_key", ["queue", "key"])
      .execute();
    await index("jobs", ["server_id"]);
    await index("jobs", ["due_at"]);

    await schema
      .createTable("removals")
      .addColumn("parent", text, (column) => column.notNull())
      .addColumn("server_id", "bigint", (column) => column.notNull())
      .addColumn("part_id", text, (column) => column.notNull())
      .addPrimaryKeyConstraint("removals_key", ["parent", "server_id", "part_id"])
      .execute();

    async function index(table: string, columns: readonly string[]): Promise<void> {
      await schema
        .createIndex(
          `${table}_by_${columns.filter((name) => name !== "server_id").join("_") || "server"}`,
        )
        .on(table)
        .columns([...columns])
        .execute();
    }
  },
});

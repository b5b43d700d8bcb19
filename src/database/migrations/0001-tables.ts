import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Dialect } from "../schema.ts";

/** The first schema. A migration is never changed once it was released: what comes later is another file. */
export const createTables = (dialect: Dialect): Migration => ({
  async up({ schema }: Kysely<never>) {
    const isPostgres = dialect === "postgres";
    /** Ids and words compare by their bytes on both databases, so that pages follow each other. */
    const text = isPostgres ? sql`text collate "C"` : sql`text`;
    /**
     * SQLite keeps such a table in the order of its key, so that the rows of a server lie together and their pages go with
     * them: in pages that several servers share, moving rows about leaves copies that no deletion overwrites.
     */
    const owned = (name: string) => {
      const table = schema
        .createTable(name)
        .addColumn("server_id", "bigint", (column) =>
          column.notNull().references("servers.id").onDelete("cascade"),
        );
      return isPostgres ? table : table.modifyEnd(sql`without rowid`);
    };

    const numbered = (name: string) =>
      schema
        .createTable(name)
        .addColumn("id", isPostgres ? "bigserial" : "integer", (column) =>
          isPostgres ? column.primaryKey() : column.primaryKey().autoIncrement(),
        );

    await numbered("servers")
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

    await numbered("continuations")
      .addColumn("key", text, (column) =>
        column.notNull().unique().references("keyv.key").onDelete("cascade"),
      )
      .addColumn("server_id", "bigint", (column) =>
        column.notNull().references("servers.id").onDelete("cascade"),
      )
      .addColumn("user_id", text, (column) => column.notNull())
      .addColumn("bytes", "integer", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await index("continuations", ["server_id", "user_id", "id", "expires_at", "bytes"]);

    await owned("linked_channels")
      .addColumn("channel_id", text, (column) => column.notNull())
      .addColumn("is_broken", "integer", (column) => column.notNull())
      .addColumn("title_read_at", "bigint")
      .addPrimaryKeyConstraint("linked_channels_key", ["server_id", "channel_id"])
      .execute();
    await index("linked_channels", ["channel_id"]);
    await index("linked_channels", ["title_read_at"]);

    await owned("refresh_claims")
      .addColumn("channel_id", text, (column) => column.notNull())
      .addColumn("held_by", text, (column) => column.notNull())
      .addColumn("held_until", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("refresh_claims_key", ["server_id", "channel_id"])
      .execute();

    await schema
      .createTable("revocations")
      .addColumn("id", text, (column) => column.primaryKey())
      .addColumn("channel_id", text)
      .addColumn("token", "text", (column) => column.notNull())
      .addColumn("added_at", "bigint", (column) => column.notNull())
      .addColumn("due_at", "bigint", (column) => column.notNull())
      .execute();
    await index("revocations", ["channel_id"]);
    await index("revocations", ["due_at"]);

    await owned("watches")
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("source", text, (column) => column.notNull())
      .addColumn("is_paused", "integer", (column) => column.notNull())
      .addColumn("pace_ms", "bigint", (column) => column.notNull())
      .addColumn("poll_units", "integer", (column) => column.notNull())
      .addColumn("unable_since", "bigint")
      .addColumn("added_at", "bigint", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("progress", "text", (column) => column.notNull().defaultTo("{}"))
      .addPrimaryKeyConstraint("watches_key", ["server_id", "id"])
      .execute();
    await index("watches", ["is_paused", "unable_since", "pace_ms", "poll_units", "server_id"]);

    await owned("held_comments")
      .addColumn("watch_id", text, (column) => column.notNull())
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("source", text, (column) => column.notNull())
      .addColumn("status", text, (column) => column.notNull())
      .addColumn("listed_as", text, (column) => column.notNull())
      .addColumn("published_at", "bigint", (column) => column.notNull())
      .addColumn("due_at", "bigint")
      .addColumn("decision", text)
      .addColumn("card_state", text)
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
    await index("held_comments", ["server_id", "watch_id", "status", "published_at", "id"]);
    await index("held_comments", ["server_id", "watch_id", "due_at"], "status = 'later'");
    await index(
      "held_comments",
      ["server_id", "source", "status", "decision", "due_at"],
      "decision is not null",
    );
    await index(
      "held_comments",
      ["server_id", "watch_id", "card_state", "published_at"],
      "card_state is not null",
    );
    await index("held_comments", ["server_id", "watch_id", "published_at"], "needs_drawing = 1");
    await index("held_comments", ["server_id", "watch_id", "digest_id"]);
    await index("held_comments", ["server_id", "likeness", "published_at"], "likeness is not null");
    await index("held_comments", ["status"], "ended_at is null");
    await index("held_comments", ["ended_at"], "ended_at is not null");
    await index("held_comments", ["has_text", "read_at"]);

    await owned("digests")
      .addColumn("watch_id", text, (column) => column.notNull())
      .addColumn("id", text, (column) => column.notNull())
      .addColumn("card_state", text, (column) => column.notNull())
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
    await index("digests", ["server_id", "watch_id", "card_state", "added_at"]);
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
      .addColumn("actor_id", text, (column) => column.notNull())
      .addColumn("comment_id", text, (column) => column.notNull())
      .addColumn("author_id", text)
      .addColumn("author_name", "text")
      .addColumn("has_text", "integer", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("audit_log_key", ["server_id", "id"])
      .execute();
    await index("audit_log", ["server_id", "actor_id", "id"]);
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
      .addColumn("added_at", "bigint", (column) => column.notNull())
      .addColumn("project", text)
      .addColumn("looks_a_day", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("progress", "text", (column) => column.notNull().defaultTo("{}"))
      .addPrimaryKeyConstraint("feeds_key", ["server_id", "id"])
      .addUniqueConstraint("feeds_source", ["server_id", "source"])
      .execute();
    await index("feeds", ["project", "looks_a_day"]);

    await owned("announcements")
      .addColumn("feed_id", text, (column) => column.notNull())
      .addColumn("video_id", text, (column) => column.notNull())
      .addColumn("state", text, (column) => column.notNull())
      .addColumn("look_at", "bigint")
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("announcements_key", ["server_id", "feed_id", "video_id"])
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
        "bucket",
        "user_id",
        "project",
        "command",
        "method",
        "purpose",
      ])
      .execute();
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
      .createTable("quota_parts")
      .addColumn("part", text, (column) => column.notNull())
      .addColumn("day", text, (column) => column.notNull())
      .addColumn("bucket", text, (column) => column.notNull())
      .addColumn("used", "bigint", (column) => column.notNull())
      .addColumn("moderated", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("quota_parts_key", ["day", "part", "bucket"])
      .execute();

    await owned("quota_servers")
      .addColumn("project", text, (column) => column.notNull())
      .addColumn("last_day", text, (column) => column.notNull())
      .addPrimaryKeyConstraint("quota_servers_key", ["server_id", "project"])
      .execute();
    await index("quota_servers", ["project", "last_day"]);

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
      .addColumn("is_taken_back", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("tries", "integer", (column) => column.notNull())
      .addColumn("locked_by", text)
      .addColumn("locked_until", "bigint")
      .addColumn("parked_at", "bigint")
      .addColumn("failure", text)
      .addPrimaryKeyConstraint("jobs_key", ["queue", "key"])
      .execute();
    await index("jobs", ["server_id"]);
    await schema
      .createIndex("jobs_waiting")
      .on("jobs")
      .columns(["queue", "due_at", "server_id"])
      .where(sql<boolean>`locked_by is null and parked_at is null`)
      .execute();
    await schema
      .createIndex("jobs_locked")
      .on("jobs")
      .column("locked_until")
      .where(sql<boolean>`locked_by is not null`)
      .execute();
    await schema
      .createIndex("jobs_parked")
      .on("jobs")
      .column("parked_at")
      .where(sql<boolean>`parked_at is not null`)
      .execute();

    await schema
      .createTable("removals")
      .addColumn("parent", text, (column) => column.notNull())
      .addColumn("server_id", "bigint", (column) => column.notNull())
      .addColumn("part_id", text, (column) => column.notNull())
      .addPrimaryKeyConstraint("removals_key", ["parent", "server_id", "part_id"])
      .execute();

    /** `where`: only such rows are in it, so that writes of others cost nothing. */
    async function index(table: string, columns: readonly string[], where?: string) {
      const made = schema
        .createIndex(
          `${table}_by_${columns.filter((name) => name !== "server_id").join("_") || "server"}`,
        )
        .on(table)
        .columns([...columns]);
      await (where === undefined ? made : made.where(sql.raw<boolean>(where))).execute();
    }
  },
});

import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listEncodings } from "../../src/log/encodings.ts";
import { createLog, createSecrets } from "../../src/log.ts";
import { createAuditRecords } from "../../src/moderation/records/audit-log.ts";
import { createModerationRecords } from "../../src/moderation/records/index.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { hashToRecordId, openStore, readOrMakeKeyFile } from "../../src/store/index.ts";
import { revocationsOf } from "../oauth/links-stage.ts";
import { handle, putSamples, writtenAt } from "../support/put-samples.ts";
import { asMessage, fetchBytes, isEphemeral, textOf } from "../support/stage.ts";

const hour = 3_600_000;

/** A sandbox in a folder of its own, whose files and records can be read from outside. */
async function opened() {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-erasure-"));
  const secrets = createSecrets();
  const logged: string[] = [];
  const log = createLog({ level: "debug", secrets, write: (line) => logged.push(line) });
  let passed = 0;
  const now = () => Date.now() + passed;
  const sandbox = await startSandbox({ dataDir: folder, secrets, log, now });
  // Shows commands to everyone, so that the bot itself has to refuse them.
  sandbox.platform.showAllCommands(true);
  const store = await openStore({
    url: `sqlite:${join(folder, "sandbox.sqlite")}`,
    keys: readOrMakeKeyFile(join(folder, "master.key")).keys,
    now,
  });
  return {
    sandbox,
    store,
    bytes: () =>
      readdirSync(folder)
        .filter((name) => name.startsWith("sandbox.sqlite"))
        .map((name) => readFileSync(join(folder, name)).toString("latin1"))
        .join("\n"),
    pass: (ms: number) => (passed += ms),
    close: async () => {
      await store.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Opened = Awaited<ReturnType<typeof opened>>;

async function grantOf({ store, sandbox }: Opened): Promise<string> {
  const read = await store.credentials.read(sandbox.platform.guildId, "channel");
  return read.state === "found" ? read.value.secret : read.state;
}

/** Whether the clean-up at the start is done: its job is due again later. */
async function isCleanedUp({ store }: Opened): Promise<boolean> {
  const { db, now } = store.database;
  const job = await db
    .selectFrom("jobs")
    .select("due_at")
    .where("queue", "=", "retention")
    .executeTakeFirst();
  return job !== undefined && job.due_at > now();
}

describe("/connect export and /connect erase", () => {
  let place: Opened;
  let sandbox: RunningSandbox;
  let grant: string;

  beforeAll(async () => {
    place = await opened();
    sandbox = place.sandbox;
    grant = await grantOf(place);
    const { guildId } = sandbox.platform;
    // The clean-up at the start would remove samples that are old.
    while (!(await isCleanedUp(place))) await new Promise((resolve) => setTimeout(resolve, 20));
    await putSamples(place.store.database, guildId);
  });
  afterAll(() => place.close());

  const owner = () => sandbox.user("owner");
  const run = async (path: string, options = {}) => asMessage(await owner().command(path, options));

  it.each([
    ["export", "moderator"],
    ["erase", "moderator"],
    ["export", "member"],
    ["erase", "member"],
  ] as const)("/connect %s is refused to a %s", async (name, person) => {
    const answer = asMessage(await sandbox.user(person).command(`connect ${name}`));

    expect(isEphemeral(answer)).toBe(true);
    expect(textOf(answer)).toMatch(/You don’t have permission for this\n.*owner/u);
  });

  it("gives the owner alone a file of all that is stored, with masked secrets", async () => {
    await sandbox.user("member").command("search", { query: "light" });
    await run("connect region", { region: "jp", "time-zone": "tokyo" });

    const answer = await run("connect export");
    const [attachment] = answer.attachments;
    const text = (await fetchBytes(attachment?.url ?? "")).toString("utf8");

    expect(isEphemeral(answer)).toBe(true);
    expect(attachment?.filename).toMatch(/^greenroom-\d+-\d{4}-\d\d-\d\d\.json$/u);
    const file = JSON.parse(text);
    expect(file).toMatchObject({
      server: sandbox.platform.guildId,
      connections: [
        { kind: "video-key", addedBy: sandbox.platform.ownerId },
        { kind: "background-key", secret: `…${sandbox.background.key.slice(-4)}` },
        { kind: "channel", channelTitle: "Greenroom Studio", secret: `…${grant.slice(-4)}` },
      ],
      settings: { region: "JP", timeZone: "Asia/Tokyo" },
    });
    expect(file.connections[0].addedAt).toMatch(/^\d{4}-\d\d-\d\dT/u);
    expect(file.spentAtVideoService).toContainEqual(
      expect.objectContaining({ command: "search", method: "search.list", searches: 1 }),
    );
    expect(file.stateOfButtons.count).toBeGreaterThan(0);
  });

  it("holds the queue, its log and the announcements in that file, and times as times", async () => {
    const answer = await run("connect export");
    const file = JSON.parse((await fetchBytes(answer.attachments[0]?.url ?? "")).toString("utf8"));

    const at = "2026-01-31T00:00:00.000Z";
    expect(file).toMatchObject({
      watches: [{ id: "a1", source: "UC1", addedAt: at, paused: { at } }],
      watchProgress: [{ watchId: "a1" }],
      comments: [
        { id: "i1", comment: { text: "What a kanarie", publishedAt: at }, card: { since: at } },
      ],
      digests: [{ id: "d1", itemIds: ["i1"], addedAt: at }],
      authors: [{ author: hashToRecordId("UC-ada"), seen: 2, lastAt: expect.any(String) }],
      auditLog: [
        { act: "videos.update", videoId: "v", text: "A video of a kanarie" },
        { id: `${writtenAt}-0000000a`, at, act: "approved", text: "Kanarie" },
      ],
      authorNotes: [{ authorId: "UC-ada", text: "Sings like a kanarie", at }],
      rules: [{ rules: [{ name: "Birds", test: { words: ["kanarie"] }, addedAt: at }] }],
      ruleLists: [{ name: "Birds of others", from: { url: "https://lists.example/birds.txt" } }],
      ruleListContents: [{ words: ["kanarie"] }],
      sharedRules: [{ name: "Our birds" }],
      savedReplies: [{ name: "Thanks", text: "Thank you, kanarie" }],
      announcedChannels: [{ id: "c1", source: "UC2", addedAt: at }],
      announcementProgress: [{ feedId: "c1" }],
      announcements: [{ videoId: "v", state: "done" }],
    });
  });

  it("packs a file that a message can’t carry", async () => {
    const { guildId } = sandbox.platform;
    const { database } = place.store;
    const audit = createAuditRecords(database);
    const text = "a comment of many words ".repeat(400);
    const first = (await audit.page(guildId, {}, { limit: 1 })).entries[0];
    if (first === undefined) throw new Error("there is no entry");
    for (let n = 0; n < 1_200; n += 1) await audit.add(guildId, { ...first, id: `2-${n}`, text });

    const answer = await run("connect export");

    await database.db.deleteFrom("audit_log").where("id", "like", "2-%").execute();
    const [attachment] = answer.attachments;
    expect(attachment?.filename).toMatch(/\.json\.gz$/u);
    const file = JSON.parse(gunzipSync(await fetchBytes(attachment?.url ?? "")).toString("utf8"));
    expect(file.auditLog).toHaveLength(1_202);
  });

  it("ends with a whole entry where even packed it is more than a message can carry", async () => {
    const { guildId } = sandbox.platform;
    const { database } = place.store;
    const audit = createAuditRecords(database);
    const first = (await audit.page(guildId, {}, { limit: 1 })).entries[0];
    if (first === undefined) throw new Error("there is no entry");
    for (let n = 0; n < 100; n += 1) {
      await audit.add(guildId, {
        ...first,
        id: `2-${n}`,
        text: randomBytes(2_000).toString("hex"),
      });
    }
    sandbox.platform.setAttachmentLimit(120_000);

    const answer = await run("connect export");

    sandbox.platform.setAttachmentLimit(10 * 1_048_576);
    await database.db.deleteFrom("audit_log").where("id", "like", "2-%").execute();
    const bytes = await fetchBytes(answer.attachments[0]?.url ?? "");
    const file = JSON.parse(gunzipSync(bytes).toString("utf8"));
    expect(bytes.length).toBeLessThanOrEqual(120_000);
    expect(file.auditLog.length).toBeGreaterThan(5);
    expect(file.auditLog.length).toBeLessThan(100);
    expect(textOf(answer)).toMatch(/The file has the first \d+ of \d+ entries/u);
  });

  it("reveals no secret in any encoding, in the file or in the question", async () => {
    const answer = await run("connect export");
    const file = await fetchBytes(answer.attachments[0]?.url ?? "");
    const question = await run("connect erase");
    const said = [file.toString("utf8"), JSON.stringify(answer), JSON.stringify(question)].join();

    const secrets = [sandbox.video.key, sandbox.background.key, grant];
    const shown = secrets
      .flatMap((one) => [...listEncodings(one)])
      .filter((one) => said.includes(one));
    expect(shown).toEqual([]);
  });

  it("names exactly what goes, and changes nothing on Cancel", async () => {
    const question = await run("connect erase");
    const cancelled = asMessage(await owner().click(question, "Cancel"));

    expect(isEphemeral(question)).toBe(true);
    expect(textOf(question)).toMatch(/Linked channel: \[Greenroom Studio\]/u);
    expect(textOf(question)).toMatch(/Country: Japan\nTime zone: Asia\/Tokyo/u);
    expect(textOf(question)).toContain(
      [
        "Comments and announcements",
        "1 watch",
        "1 comment in the queue",
        "1 digest",
        "Moderation history of 1 author",
        "1 moderator note about an author",
        "2 entries of the audit log",
        "1 saved reply",
        "1 announced channel",
        "1 announcement",
        "1 rule",
      ].join("\n"),
    );
    expect(textOf(question)).toMatch(/last 40 days\n(.*\n)*1 search\n/u);
    expect(textOf(question)).toMatch(/Buttons of \d+ replies/u);
    expect(textOf(question)).toContain("can’t be undone");
    expect(textOf(cancelled)).toContain("Nothing was changed");
    expect(await grantOf(place)).toBe(grant);
  });

  it("asks in German too", async () => {
    owner().speak("de");
    const question = textOf(await run("connect erase"));
    owner().speak("en-US");

    expect(question).toMatch(/Alles über diesen Server löschen\?[\s\S]*Zeitzone: Asia\/Tokyo/u);
  });

  it("erases one author alone, with a question first", async () => {
    const { guildId } = sandbox.platform;
    const { database } = place.store;
    const id = `UC${"z".repeat(22)}`;
    const records = createModerationRecords(database, { put: async () => undefined });
    const [sample] = await records.comments.readAll(guildId, "a1", ["i1"]);
    if (sample === undefined) throw new Error("there is no sample");
    const author = { authorId: id, authorName: "Zoe Wintergoldhahn", text: "Nachtigall" };
    const comment = { ...sample.comment, ...author, id: "comment-i2" };
    await records.comments.addAll(guildId, [{ ...sample, id: "i2", comment }]);
    await records.authors.add(guildId, id, { seen: 1 });
    await records.notes.add(guildId, {
      id: `${writtenAt}-0000000c`,
      authorId: id,
      text: "Nachtigall",
      at: writtenAt,
      by: { userId: "333333333333333333", userName: "Kim" },
    });

    const question = await run("connect erase", { author: id });
    const cancelled = asMessage(await owner().click(question, "Cancel"));
    const before = place.bytes();
    const again = await run("connect erase", { author: id });
    const answer = asMessage(await owner().click(again, "Erase this author’s data"));
    const none = await run("connect erase", { author: id });

    expect(isEphemeral(question)).toBe(true);
    expect(textOf(question)).toContain(
      [
        "1 comment in the queue",
        "Moderation history of 1 author",
        "1 moderator note about an author",
      ].join("\n"),
    );
    expect(textOf(cancelled)).toContain("Nothing was changed");
    expect(before).toContain("Nachtigall");
    expect(textOf(answer)).toContain("The author’s data was erased");
    expect(textOf(none)).toBe("Nothing is stored about this author here");
    const bytes = place.bytes();
    // Words long enough not to occur by chance: much of the file is random.
    expect(["Nachtigall", "Wintergoldhahn"].filter((one) => bytes.includes(one))).toEqual([]);
    expect(bytes).toContain("What a kanarie");
  });

  it("leaves no byte of the server, forgets what it remembers, and has the consent revoked", async () => {
    const { guildId, ownerId } = sandbox.platform;
    const question = await run("connect erase");
    expect(place.bytes()).toContain(guildId);

    const answer = asMessage(await owner().click(question, "Erase everything"));

    const bytes = place.bytes();
    expect(textOf(answer)).toContain("Everything was erased");
    const gone = [guildId, ownerId, grant, handle, "kanarie", "UC-ada"];
    expect(gone.filter((one) => bytes.includes(one))).toEqual([]);
    expect(textOf(await run("connect status"))).not.toContain("Connected by");
    expect(textOf(await run("connect status"))).toContain("no country chosen");
    expect(
      textOf(asMessage(await sandbox.user("member").command("search", { query: "light" }))),
    ).toContain("connect it with /connect key");
    expect((await revocationsOf(place.store)).map(({ token }) => token)).toEqual([grant]);
    expect(sandbox.oauth.knows(grant)).toBe(true);

    place.pass(hour);
    await run("connect region", { region: "fr" });
    await owner().click(await run("connect erase"), "Erase everything");
    await expect.poll(() => sandbox.oauth.knows(grant)).toBe(false);
    await expect.poll(() => revocationsOf(place.store)).toEqual([]);
  });

  it("says so when nothing is stored", async () => {
    await place.store.eraseServer(sandbox.platform.guildId);

    expect(textOf(await run("connect erase"))).toBe("Nothing is stored about this server");
  });
});

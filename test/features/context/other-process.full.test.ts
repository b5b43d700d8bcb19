import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createAnswerCache } from "../../../src/cache.ts";
import { type Database, openDatabase } from "../../../src/database/index.ts";
import { createSettingsCache } from "../../../src/discord/access/settings-cache.ts";
import { createFileCache } from "../../../src/features/context/file-cache.ts";
import { createPaidResults } from "../../../src/features/context/paid-results.ts";
import { rememberAnswers } from "../../../src/features/context/remember-answers.ts";
import { createStore } from "../../../src/store/index.ts";
import type { VideoClient } from "../../../src/video/index.ts";
import { guild as guildId, masterKey } from "../../store/setup.ts";
import { type Kind, postgres } from "../../support/databases/kinds.ts";
import { findPostgres } from "../../support/databases/postgres-server.ts";
import { through } from "./through.ts";

const log = { warn: (what: string) => expect.fail(what) };
const mine = { part: ["snippet"], mine: true } as const;
const created = { part: ["snippet"], body: { snippet: { title: "a" } } } as const;

describe.skipIf(!findPostgres())("another process on the same PostgreSQL", () => {
  let kind: Kind | undefined;
  afterAll(() => kind?.stop());

  async function rig() {
    kind ??= postgres();
    const { url } = await kind.fresh();
    /** The playlists that exist at YouTube. */
    const playlists: string[] = [];
    const searches: string[] = [];
    const client = {
      call: async (method: string, { q }: { readonly q?: string }) => {
        if (method === "search.list") return { items: [searches.push(q ?? "")] };
        if (method === "playlists.list") return { items: [...playlists] };
        playlists.push("a");
        return {};
      },
    } as unknown as VideoClient;
    const open = async () => {
      const database = await openDatabase({ url });
      onTestFinished(() => database.close());
      const store = await createStore({ database, keys: [masterKey("k1")] });
      const answers = createAnswerCache(Date.now);
      const { servers } = database;
      return {
        database,
        store,
        reads: through(
          rememberAnswers({
            answers,
            scope: "s",
            guildId,
            servers,
            files: store.files,
            now: Date.now,
            isFresh: false,
          }),
          client,
        ),
        settings: createSettingsCache(store.settings, () => 0, servers.version),
        files: createFileCache({ now: Date.now, stored: store.files, log }),
        paid: (interactionId: string) =>
          createPaidResults({ guildId, interactionId, files: store.files, log }),
      };
    };
    const both = [await open(), await open()] as const;
    await both[0].database.servers.need(guildId);
    return Object.assign(both, { searches });
  }

  /** Does the work as an interaction would. */
  const asked = <T>({ database }: { readonly database: Database }, work: () => Promise<T>) =>
    database.servers.answerFor(guildId, work);

  it("shows a list as it is after a write", async () => {
    const [one, other] = await rig();
    const list = () => asked(other, () => other.reads.call("playlists.list", mine));
    await list();
    await asked(one, () => one.reads.call("playlists.insert", created as never));

    expect(await list()).toEqual({ items: ["a"] });
  });

  it("remembers a list as long as nobody writes", async () => {
    const [, other] = await rig();
    const list = () => asked(other, () => other.reads.call("playlists.list", mine));

    expect(await list()).toBe(await list());
  });

  it("has what a search found that the first process made", async () => {
    const stage = await rig();
    const [one, other] = stage;
    const cats = { part: ["snippet"], q: "cats" } as const;

    const first = await asked(one, () => one.reads.call("search.list", cats));
    const second = await asked(other, () => other.reads.call("search.list", cats));

    expect([first, second, stage.searches]).toEqual([{ items: [1] }, { items: [1] }, ["cats"]]);
  });

  it("knows settings as soon as they were changed", async () => {
    const [one, other] = await rig();
    await asked(other, () => other.settings.of(guildId));
    for (const region of ["DE", "FR", "IT"]) {
      await asked(one, () => one.store.settings.update(guildId, () => ({ region })));

      expect(await asked(other, () => other.settings.of(guildId))).toEqual({ value: { region } });
    }
  });

  it("forgets settings of a server that was erased", async () => {
    const [one, other] = await rig();
    await one.store.settings.update(guildId, () => ({ region: "DE" }));
    await asked(other, () => other.settings.of(guildId));
    await one.store.eraseServer(guildId);

    expect(await asked(other, () => other.settings.of(guildId))).toEqual({ value: {} });
  });

  it("has the cut-out that a button refers to", async () => {
    const [one, other] = await rig();
    const handle = await one.files.put(guildId, Buffer.from("cut-out"));

    expect(await other.files.get(guildId, handle)).toEqual(Buffer.from("cut-out"));
  });

  it("finds what an interaction has paid for", async () => {
    const [one, other] = await rig();
    await one.paid("1").begin("picture");
    await one.paid("1").keep("picture", { bytes: Buffer.from("cut-out"), facts: { charged: 1 } });
    const found = await other.paid("1").find("picture");

    expect(found).toMatchObject({ bytes: Buffer.from("cut-out"), facts: { charged: 1 } });
    expect(await other.paid("2").find("picture")).toBeUndefined();
  });

  it("knows what was sent and whose result is not there, and what was not charged", async () => {
    const [one, other] = await rig();
    await one.paid("1").begin("lost");
    await one.paid("1").begin("refused");
    await one.paid("1").drop("refused");

    expect(await other.paid("1").find("lost")).toBe("sent");
    expect(await other.paid("1").find("refused")).toBeUndefined();
  });
});

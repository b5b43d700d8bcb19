import { MessageFlags } from "discord-api-types/v10";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { command, files, notice } from "../../../src/discord/index.ts";
import { InputError } from "../../../src/errors.ts";
import { action, subcommand } from "../../../src/features/declarations/index.ts";
import { requireOwned, whileOwned } from "../../../src/ownership.ts";
import { storeUnavailable } from "../../../src/store/index.ts";
import { menu, command as sentCommand } from "../../support/raw-interactions.ts";
import {
  apiError,
  asking,
  failOnce,
  onEachStage,
  openTwo,
  type Sent,
  type Stage,
  type Work,
  whose,
} from "../../support/shared-processes.ts";

/** The most bytes of files that are stored with an answer. */
const maxKeptBytes = 256 * 1024;

function commands({ runs, finish }: Work) {
  const refresh = action<string>({
    name: "search.refresh",
    answer: "update",
    by: "requester",
    rank: "member",
    run: async (_, state) => finish(`refresh ${state}`),
  });
  const once = action<string>({
    name: "search.next",
    answer: "private",
    by: "requester",
    rank: "member",
    isOnce: true,
    run: async (_, state) => finish(`once ${state}`),
  });
  const slow = action<string>({
    name: "search.slow",
    answer: "update",
    by: "requester",
    rank: "member",
    run: async (ctx, state) => {
      ctx.progress({ title: "Working" });
      return finish(`slow ${state}`);
    },
  });
  const withFile = async (name: string, data: Uint8Array) => {
    await finish(name);
    return files({ title: name, files: [{ name: "list.txt", data }] });
  };
  const quick = () => {
    runs.push("show");
    return notice({ tone: "good", title: "show" });
  };
  const large = new Uint8Array(maxKeptBytes + 1).fill(97);
  const subcommands = {
    create: subcommand({ answer: "private", run: () => finish("create") }),
    add: subcommand({ answer: "public", run: () => finish("add") }),
    list: subcommand({ answer: "public", isRepeatable: true, run: () => finish("list") }),
    show: subcommand({ answer: "public", isRepeatable: true, run: async () => quick() }),
    fail: subcommand({
      answer: "public",
      run: async () => {
        await finish("fail");
        throw new InputError("nothing", { code: "cancelled" });
      },
    }),
    upload: subcommand({
      answer: "private",
      isRepeatable: true,
      run: async () => {
        await requireOwned();
        return quick();
      },
    }),
    export: subcommand({ answer: "private", run: () => withFile("export", Buffer.from("a, b")) }),
    copy: subcommand({ answer: "private", run: () => withFile("copy", large) }),
    read: subcommand({
      answer: "private",
      isRepeatable: true,
      run: () => withFile("read", large),
    }),
    delete: asking(once, refresh, slow),
  };
  return new Map([["playlists", command({ subcommands, actions: [refresh, once, slow] })]]);
}

onEachStage((open, isShared) => {
  describe("an answer that is on record when its process ends", () => {
    const beside = [
      ["the failure of a public command, before its message is deleted", "fail", "delete"],
      ["the failure of a public command, whose message is deleted", "fail", "followUp"],
    ] as const;
    const inPlace = [
      ["that only the person sees", "create", "edit"],
      ["that all see", "add", "edit"],
      ["with a small file", "export", "edit"],
    ] as const;
    const shown = { fail: "Cancelled", create: "create", add: "add", export: "list.txt: a, b" };

    it.each([...beside, ...(isShared ? inPlace : [])])(
      "is sent by whoever takes over, and nothing runs: %s",
      async (_, name, kind) => {
        const { answers, errors, one, other, runs, textOf } = await openTwo(open(commands));
        const { reached } = answers.keepBack(kind);
        const sent = sentCommand(`playlists ${name}`, whose);
        void one.receive(sent);
        await reached;

        await other.recover(one.processId);

        const [inPlaceOf, followUps] = [textOf(sent), answers.followUps];
        const [told, nothing] = name === "fail" ? [followUps, inPlaceOf] : [[inPlaceOf], followUps];
        expect(told).toEqual([expect.stringContaining(shown[name])]);
        expect(nothing).toHaveLength(0);
        expect([runs, errors]).toEqual([[name], []]);
      },
    );

    it("is sent in place of the message that was pressed", async () => {
      const stage = await open(commands);
      const { answers, openProcess, runs, textOf } = stage;
      const [one, other] = [await openProcess(), await openProcess()];
      const sent = stage.press(await one.askedButton(1));
      const { reached } = answers.keepBack("edit");
      void one.receive(sent);
      await reached;

      await other.recover(one.processId);

      expect(textOf(sent)).toContain("refresh list");
      expect([runs, answers.followUps]).toEqual([["refresh list"], []]);
    });

    it("gives way to words about the interruption where Discord refuses it alone", async () => {
      const { answers, one, other, place, runs } = await openTwo(open(commands));
      const { reached } = answers.keepBack("followUp");
      void one.receive(sentCommand("playlists fail", whose));
      await reached;
      answers.before((kind) => {
        if (kind !== "followUp") return;
        answers.before(() => undefined);
        throw apiError(50_035, 400);
      });

      await other.recover(one.processId);

      expect(answers.followUps).toEqual([expect.stringContaining("Interrupted")]);
      expect(runs).toEqual(["fail"]);
      expect(await place.query("select is_open from interactions")).toEqual([{ is_open: 0 }]);
    });

    it("is given up with a line in the log where Discord refuses everything", async () => {
      const { answers, errors, one, other, pass, place } = await openTwo(open(commands));
      const { reached } = answers.keepBack("followUp");
      void one.receive(sentCommand("playlists fail", whose));
      await reached;
      answers.before(() => {
        throw apiError(50_027, 401);
      });
      pass(15_000);

      await other.recover(one.processId);

      expect(errors).toEqual([expect.stringContaining("Discord took no answer")]);
      expect(await place.query("select is_open from interactions")).toEqual([{ is_open: 0 }]);
    });
  });

  describe("an answer with a file over the limit", () => {
    it("is not kept: its person is told to look", async () => {
      const { answers, one, other, runs, textOf } = await openTwo(open(commands));
      const { reached } = answers.keepBack("edit");
      const sent = sentCommand("playlists copy", whose);
      void one.receive(sent);
      await reached;

      await other.recover(one.processId);

      expect(textOf(sent)).toContain("Interrupted");
      expect(runs).toEqual(["copy"]);
    });

    it("is made again where that only reads", async () => {
      const { answers, one, other, runs, textOf } = await openTwo(open(commands));
      const { reached } = answers.keepBack("edit");
      const sent = sentCommand("playlists read", whose);
      void one.receive(sent);
      await reached;

      await other.recover(one.processId);

      expect(textOf(sent)).toContain("list.txt: aaa");
      expect(runs).toEqual(["read", "read"]);
    });
  });

  describe("a press that must not happen twice", () => {
    it.runIf(isShared)("is told as interrupted where its process had forgotten it", async () => {
      const stage = await open(commands);
      const { openProcess, runs, textOf } = stage;
      const [one, other] = [await openProcess(), await openProcess()];
      const sent = stage.press(await one.askedButton(0));
      const reached = Promise.withResolvers<void>();
      one.store.interactions.answer = () => {
        reached.resolve();
        return new Promise(() => undefined);
      };
      void one.receive(sent);
      await reached.promise;

      await other.recover(one.processId);

      expect(textOf(sent)).toContain("Interrupted");
      expect(runs).toEqual(["once playlist"]);
    });
  });

  describe("a person who still waits", () => {
    it("is told although Discord could not be asked at first", async () => {
      const stage = await open(commands);
      const { answers, textOf } = stage;
      const { recover, store } = await stage.openProcess();
      const sent = await leave(stage, store, "create");
      answers.before((kind) => {
        if (kind !== "read") return;
        answers.before(() => undefined);
        throw new Error("the connection was lost");
      });

      await recover("dead");

      expect(textOf(sent)).toContain("Interrupted");
    });

    it("is told although Discord can't be asked for long", async () => {
      const stage = await open(commands);
      const { answers, pass, textOf } = stage;
      const { recover, store } = await stage.openProcess();
      const sent = await leave(stage, store, "create");
      answers.before((kind) => {
        if (kind !== "read") return;
        pass(10_000);
        throw new Error("the connection was lost");
      });

      await recover("dead");

      expect(textOf(sent)).toContain("Interrupted");
    });

    it("is told although Discord did not have the acknowledgement yet", async () => {
      const stage = await open(commands);
      const { answers, textOf } = stage;
      const { recover, store } = await stage.openProcess();
      const sent = await leave(stage, store, "create");
      const loading = answers.messages.get(sent.token);
      answers.messages.delete(sent.token);
      answers.before((kind) => {
        if (kind !== "read") return;
        answers.before(() => void (loading && answers.messages.set(sent.token, loading)));
      });

      await recover("dead");

      expect(textOf(sent)).toContain("Interrupted");
    });
  });

  describe("the person of a request that was too long to be stored", () => {
    const deferred = MessageFlags.Loading;

    it.each([
      ["in place of what only the person sees", deferred | MessageFlags.Ephemeral],
      ["beside what all see, which is deleted", deferred],
    ])("is told %s", async (_, flags) => {
      const { answers, one, other, textOf } = await openTwo(open(commands));
      const { reached } = answers.keepBack("respond");
      const sent = menu("Look", whose, { content: "a".repeat(70_000) });
      void one.receive(sent);
      await reached;
      answers.messages.set(sent.token, { flags, text: "" });

      await other.recover(one.processId);

      const isPublic = flags === deferred;
      const [told, nothing] = isPublic
        ? [answers.followUps, textOf(sent)]
        : [[textOf(sent)], answers.followUps];
      expect(told).toEqual([expect.stringContaining("Interrupted")]);
      expect(nothing).toHaveLength(0);
      expect(answers.messages.has(sent.token)).toBe(!isPublic);
    });

    it("is told beside what all may see, which is deleted, where Discord can't be asked for long", async () => {
      const { answers, one, other, pass } = await openTwo(open(commands));
      const { reached } = answers.keepBack("respond");
      const sent = menu("Look", whose, { content: "a".repeat(70_000) });
      void one.receive(sent);
      await reached;
      answers.messages.set(sent.token, { flags: deferred, text: "" });
      answers.before((kind) => {
        if (kind !== "read") return;
        pass(10_000);
        throw new Error("the connection was lost");
      });

      await other.recover(one.processId);

      expect(answers.followUps).toEqual([expect.stringContaining("Interrupted")]);
      expect(answers.messages.has(sent.token)).toBe(false);
    });
  });

  it("tells the person of a press whose answer Discord refuses, beside the message", async () => {
    const stage = await open(commands);
    const { answers, openProcess, runs, textOf } = stage;
    const [one, other] = [await openProcess(), await openProcess()];
    const sent = stage.press(await one.askedButton(1));
    const { reached } = answers.keepBack("edit");
    void one.receive(sent);
    await reached;
    answers.before((kind) => {
      if (kind !== "edit") return;
      throw apiError(50_035, 400);
    });

    await other.recover(one.processId);

    expect(answers.followUps).toEqual([expect.stringContaining("Interrupted")]);
    expect([runs, textOf(sent)]).toEqual([["refresh list"], ""]);
  });

  it("replaces the progress of the process that ended in a message that only its person sees", async () => {
    const stage = await open(commands);
    const { answers, hold, openProcess, runs, textOf } = stage;
    const [one, other] = [await openProcess(), await openProcess()];
    const pressed = { flags: MessageFlags.Ephemeral };
    const sent = stage.press(await one.askedButton(2), pressed);
    hold();
    void one.receive(sent);
    await expect.poll(() => runs).toEqual(["slow list"]);
    await expect.poll(() => textOf(sent)).toContain("Working");

    await other.recover(one.processId);

    expect(textOf(sent)).toContain("Interrupted");
    expect(answers.followUps).toEqual([]);
  });

  it("sends an answer on record although the database is away for a moment", async () => {
    const { answers, errors, one, other } = await openTwo(open(commands));
    const { reached } = answers.keepBack("followUp");
    void one.receive(sentCommand("playlists fail", whose));
    await reached;
    failOnce(other.store.interactions, "isOwned");

    await other.recover(one.processId);

    expect(answers.followUps).toEqual([expect.stringContaining("Cancelled")]);
    expect(errors).toEqual([]);
  });

  it("does not say that nothing was done where what was pressed can't be read", async () => {
    const stage = await open(commands);
    const { answers, hold, openProcess, runs, textOf } = stage;
    const [one, other] = [await openProcess(), await openProcess()];
    const sent = stage.press(await one.askedButton(0));
    hold();
    void one.receive(sent);
    await expect.poll(() => runs).toEqual(["once playlist"]);
    other.store.continuations.read = async () => {
      throw storeUnavailable(new Error("away"));
    };

    await other.recover(one.processId);

    expect(textOf(sent)).toContain("Interrupted");
    expect(answers.followUps).toEqual([]);
  });

  it("goes on with what was taken over when the job that found it is lost", async () => {
    const stage = await open(commands);
    const { recover, store } = await stage.openProcess();
    const sent = await leave(stage, store, "upload");

    await whileOwned(
      async () => false,
      () => recover("dead"),
    );

    expect(stage.textOf(sent)).toContain("show");
  });

  it("lets nobody wait for one that hangs", async () => {
    const stage = await open(commands);
    const { answers, runs } = stage;
    const { recover, store } = await stage.openProcess();
    const release = stage.hold();
    const names = ["list", ...Array.from({ length: 150 }, () => "show")];
    await Promise.all(names.map((name) => leave(stage, store, name)));

    const recovering = recover("dead");
    await expect.poll(() => runs.filter((run) => run === "show")).toHaveLength(150);
    const before = [...answers.messages.values()].filter(({ text }) => text.includes("list"));
    release();
    await recovering;

    expect(before).toEqual([]);
    expect([...answers.messages.values()].filter(({ text }) => text === "")).toEqual([]);
  });

  it.runIf(isShared)("takes rows later that were locked at first", async () => {
    const stage = await open(commands);
    const { recover, store } = await stage.openProcess();
    const sent = await leave(stage, store, "create");
    const client = new pg.Client({ connectionString: stage.place.url });
    await client.connect();
    await client.query("begin");
    await client.query("select * from interactions for update");
    const { hasOpen } = store.interactions;
    const looked = Promise.withResolvers<void>();
    store.interactions.hasOpen = (from) => {
      looked.resolve();
      return hasOpen(from);
    };

    const recovering = recover("dead");
    await looked.promise;
    await client.query("commit");
    await client.end();
    await recovering;

    expect(stage.textOf(sent)).toContain("Interrupted");
  });
});

type Opened = Awaited<ReturnType<Stage["openProcess"]>>;

/** Leaves behind an interaction that a dead process had acknowledged. */
async function leave(
  { answers }: Stage,
  { interactions }: Opened["store"],
  name: string,
): Promise<Sent> {
  const sent = sentCommand(`playlists ${name}`, whose);
  const { id, guild_id: guildId } = sent;
  const request = JSON.stringify({ interaction: sent, arrivedAt: Date.now() });
  await interactions.claim({ id, guildId, processId: "dead", request });
  answers.messages.set(sent.token, { flags: MessageFlags.Loading, text: "" });
  return sent;
}

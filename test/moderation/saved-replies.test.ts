import { expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import type { SavedReplies } from "../../src/moderation/index.ts";
import { createSavedReplies, maxReplies } from "../../src/moderation/saved-replies.ts";
import { guildId, onEachDatabase, otherGuildId } from "./records/setup.ts";

async function codeOf(put: Promise<unknown>): Promise<string> {
  const error = await put.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).code;
}

async function fill(replies: SavedReplies, count: number) {
  for (let n = 0; n < count; n += 1) await replies.put({ name: `Name ${n}`, text: "x" });
}

onEachDatabase((openRecords) => {
  async function open() {
    const { records } = await openRecords();
    return { of: (guildId: string) => createSavedReplies({ records }, guildId) };
  }

  it("keeps answers by name, each under an id", async () => {
    const replies = (await open()).of(guildId);

    const thanks = await replies.put({ name: " Thank\n you ", text: "  Thanks!\nSee you. " });
    await replies.put({ name: "Answer", text: "No." });

    expect(thanks.id).toMatch(/^[0-9a-f]{8}$/);
    expect(await replies.all()).toMatchObject([
      { name: "Answer" },
      { id: thanks.id, name: "Thank you", text: "Thanks!\nSee you." },
    ]);
  });

  it("changes the one that has the id, its name too", async () => {
    const replies = (await open()).of(guildId);
    const { id } = await replies.put({ name: "Thanks", text: "x" });

    await replies.put({ id, name: "THANKS", text: "y" });

    expect(await replies.all()).toEqual([{ id, name: "THANKS", text: "y" }]);
  });

  it("makes a new one of an id that is not there any more", async () => {
    const replies = (await open()).of(guildId);

    const put = await replies.put({ id: "ffffffff", name: "Thanks", text: "x" });

    expect(put.id).not.toBe("ffffffff");
    expect(await replies.all()).toHaveLength(1);
  });

  it.each([
    [{ name: "  ", text: "x" }, "reply_name"],
    [{ name: "n".repeat(81), text: "x" }, "reply_name"],
    [{ name: "n", text: " \n " }, "reply_text"],
    [{ name: "n", text: "x".repeat(2_001) }, "reply_text"],
    [{ name: "thanks", text: "x" }, "reply_name_taken"],
    [{ name: "ＴＨＡＮＫＳ", text: "x" }, "reply_name_taken"],
  ])("refuses %j as %s", async (reply, code) => {
    const replies = (await open()).of(guildId);
    await replies.put({ name: "Thanks", text: "x" });

    expect(await codeOf(replies.put(reply))).toBe(code);
    expect(await replies.all()).toHaveLength(1);
  });

  it("counts characters as people do", async () => {
    const replies = (await open()).of(guildId);

    await replies.put({ name: "🎉".repeat(80), text: "🎉".repeat(2_000) });

    expect(await replies.all()).toHaveLength(1);
  });

  it("keeps as many as a select holds, also of two who save at once", async () => {
    const replies = await open();
    await fill(replies.of(guildId), maxReplies - 1);

    const puts = ["One", "Two", "one"].map((name) => replies.of(guildId).put({ name, text: "x" }));
    const settled = await Promise.allSettled(puts);

    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await codeOf(replies.of(guildId).put({ name: "Three", text: "x" }))).toBe(
      "too_many_replies",
    );
    expect(await replies.of(guildId).all()).toHaveLength(maxReplies);
    expect(await replies.of(otherGuildId).all()).toEqual([]);
  });

  it("changes one when no more fit", async () => {
    const replies = (await open()).of(guildId);
    await fill(replies, maxReplies);
    const [first] = await replies.all();

    await replies.put({ id: first?.id ?? "", name: "Another", text: "z" });

    expect((await replies.all()).map(({ name }) => name)).toContain("Another");
  });

  it("removes, and says whether it was there", async () => {
    const replies = (await open()).of(guildId);
    const { id } = await replies.put({ name: "Thanks", text: "x" });

    expect(await replies.remove(id)).toBe(true);
    expect(await replies.remove(id)).toBe(false);
    expect(await replies.remove("../../x")).toBe(false);
    expect(await replies.all()).toEqual([]);
  });
});

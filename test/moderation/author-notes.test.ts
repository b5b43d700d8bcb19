import { expect, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import { createAuthorNotes, maxNotes } from "../../src/moderation/author-notes.ts";
import { forgetOldRecords } from "../../src/moderation/index.ts";
import { guildId, onEachDatabase, otherGuildId, start } from "./records/setup.ts";

const ada = `UC${"a".repeat(22)}`;
const bob = `UC${"b".repeat(22)}`;
const kim = { userId: "333333333333333333", userName: "Kim" };

async function codeOf(added: Promise<unknown>): Promise<string> {
  const error = await added.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).code;
}

onEachDatabase((openRecords) => {
  async function open() {
    const { records, database } = await openRecords();
    return {
      records,
      database,
      of: (guildId: string) => createAuthorNotes({ records, database }, guildId),
    };
  }

  it("keeps notes by server and author, with who wrote them and when", async () => {
    const { of } = await open();

    const note = await of(guildId).add({ authorId: ada, text: " Asks\nkindly ", by: kim });
    await of(guildId).add({ authorId: bob, text: "Sells watches", by: kim });

    expect(await of(guildId).of(ada)).toEqual([
      { id: note.id, authorId: ada, text: "Asks\nkindly", by: kim, at: note.at },
    ]);
    expect(await of(otherGuildId).of(ada)).toEqual([]);
  });

  it("removes one note of the author", async () => {
    const { of } = await open();
    const { id } = await of(guildId).add({ authorId: ada, text: "x", by: kim });

    const removed = [await of(guildId).remove(bob, id), await of(guildId).remove(ada, id)];

    expect(removed).toEqual([false, true]);
    expect(await of(guildId).of(ada)).toEqual([]);
  });

  it("says how many there are along with the author's history", async () => {
    const { records, of } = await open();
    await records.authors.add(guildId, ada, { seen: 2 });
    await of(guildId).add({ authorId: ada, text: "x", by: kim });
    await of(guildId).add({ authorId: bob, text: "x", by: kim });

    expect(await records.authors.read(guildId, ada)).toMatchObject({ seen: 2, notes: 1 });
  });

  it("forgets them after a year", async () => {
    const { records, database, of } = await open();
    const old = { authorId: ada, text: "old", by: kim, at: start - 366 * 86_400_000 };
    await records.notes.add(guildId, { id: "0-0000000a", ...old });
    await of(guildId).add({ authorId: ada, text: "new", by: kim });

    const { notes } = await forgetOldRecords(database);

    expect(notes).toBe(1);
    expect(await of(guildId).of(ada)).toMatchObject([{ text: "new" }]);
  });

  it.each([" \n ", "x".repeat(501)])("refuses a text of the wrong length", async (text) => {
    const { of } = await open();

    expect(await codeOf(of(guildId).add({ authorId: ada, text, by: kim }))).toBe("note_text");
  });

  it("takes a limited number for each author, of those added at the same time too", async () => {
    const { of } = await open();
    const add = (authorId = ada) => of(guildId).add({ authorId, text: "x", by: kim });
    for (let n = 1; n < maxNotes; n += 1) await add();

    const both = await Promise.allSettled([add(), add()]);

    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await codeOf(add())).toBe("too_many_notes");
    await add(bob);
    expect(await of(guildId).of(ada)).toHaveLength(maxNotes);
  });
});

import type { APIMessage } from "discord-api-types/v10";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { film } from "../../commands/files.ts";
import { textOf } from "../../support/stage.ts";
import { useStage } from "../../support/use-stage.ts";

let video: string;
const { owner, member } = useStage();
beforeAll(async () => {
  const [own] = await owner.offered("videos show", "video", "Green screen");
  video = String(own?.value);
});
beforeEach(async () => {
  const shown = await run("connect region", {});
  if (hasButton(shown, "Clear both")) await owner.click(shown, "Clear both");
});

const { run } = owner;
const hasButton = (message: APIMessage, label: string) =>
  JSON.stringify(message.components).includes(`"${label}"`);

/** The UTC hour of the last time that the message shows. */
function hourOf(message: APIMessage): number {
  const seconds = [...textOf(message).matchAll(/<t:(\d+):[fF]>/gu)].at(-1)?.[1];
  return new Date(Number(seconds) * 1000).getUTCHours();
}

const unset = "Times without a time zone are read in UTC, because this server has none set.";

describe("a time that somebody typed", () => {
  it.each<[string, () => Promise<APIMessage>]>([
    ["an edit", () => run("videos edit", { video, publish: "tomorrow 18:00" })],
    [
      "an upload",
      () => run("videos upload", { video: film(), title: "A", publish: "tomorrow 18:00" }),
    ],
    [
      "an upload's question",
      async () => {
        const form = await owner.runForm("videos upload", { video: film() });
        return await owner.submit(form, { publish: "tomorrow 18:00" });
      },
    ],
    [
      "an edit's form",
      async () => {
        const form = await owner.runForm("videos edit", { video });
        return await owner.submit(form, { publish: "in 4 days 18:00" });
      },
    ],
    ["a search", () => run("search", { query: "light", after: "yesterday 18:00" })],
    ["activity", () => run("activity", { after: "yesterday 18:00" })],
    ["the log", () => run("comments log", { since: "yesterday 18:00" })],
  ])("comes with its zone and a button to set it: %s", async (_, ask) => {
    const answer = await ask();

    expect(textOf(answer)).toContain(unset);
    expect(hasButton(answer, "Set time zone")).toBe(true);
  });

  it("is read in the zone that the button set", async () => {
    const before = await run("videos edit", { video, publish: "tomorrow 17:00" });
    const form = await owner.clickForm(before, "Set time zone");
    const saved = await owner.submit(form, { zone: "Tokyo" });
    const after = await run("videos edit", { video, publish: "tomorrow 18:00" });
    const region = await run("connect region", {});

    expect(hourOf(before)).toBe(17);
    expect(textOf(saved)).toContain("Asia/Tokyo");
    expect(hourOf(after)).toBe(9);
    expect(textOf(after)).toContain("Times without a time zone are read in Asia/Tokyo.");
    expect(hasButton(after, "Set time zone")).toBe(false);
    expect(textOf(region)).toContain("Asia/Tokyo");
  });

  it("is read anew when the upload's form is sent once more", async () => {
    const form = await owner.runForm("videos upload", { video: film() });
    const first = await owner.submit(form, { publish: "tomorrow 18:00" });
    const zoneForm = await owner.clickForm(first, "Set time zone");
    await owner.submit(zoneForm, { zone: "Asia/Tokyo" });
    const again = await owner.clickForm(first, "Change details");
    const second = await owner.submit(again, {});

    expect([hourOf(first), hourOf(second)]).toEqual([18, 9]);
    expect(textOf(second)).toContain("Times without a time zone are read in Asia/Tokyo.");
  });

  it("names who can set the zone to those who may not", async () => {
    const answer = await member.run("search", { query: "light", after: "yesterday 18:00" });

    expect(textOf(answer)).toMatch(/Someone with Manage Server can set it: .*connect region/u);
    expect(hasButton(answer, "Set time zone")).toBe(false);
  });

  it("is not mentioned where none was typed", async () => {
    const answer = await run("search", { query: "light" });

    expect(textOf(answer)).not.toContain("The time was read");
  });

  it("says which zones there are not, and gives the form back", async () => {
    const before = await run("videos edit", { video, publish: "tomorrow 18:00" });
    const form = await owner.clickForm(before, "Set time zone");
    const refusal = await owner.submit(form, { zone: "Atlantis" });

    expect(textOf(refusal)).toContain("There is no time zone “Atlantis”");
    expect(hasButton(refusal, "Back to the form")).toBe(true);
  });
});

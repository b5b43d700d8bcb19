import type { APIMessage } from "discord-api-types/v10";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OptionInput, PersonName } from "../../../src/sandbox/types.ts";
import { useStage } from "../../commands/use-stage.ts";
import { asForm, asMessage, textOf } from "../../support/stage.ts";

let video: string;
const { stage, owner } = useStage();
beforeAll(async () => {
  const [own] = await owner.offered("videos show", "video", "Green screen");
  video = String(own?.value);
});
beforeEach(async () => {
  const shown = await run("connect region", {});
  if (hasButton(shown, "Clear both")) await as("owner").click(shown, "Clear both");
});

const as = (who: PersonName) => stage.sandbox.user(who);
const run = async (
  path: string,
  options: Readonly<Record<string, OptionInput>>,
  who: PersonName = "owner",
) => asMessage(await as(who).command(path, options));
const hasButton = (message: APIMessage, label: string) =>
  JSON.stringify(message.components).includes(`"${label}"`);

const film = () => {
  const data = Buffer.alloc(50_000, 7);
  data.writeUInt32BE(24, 0);
  data.write("ftypisom\0\0\x02\0isommp41", 4, "latin1");
  return { name: "film.mp4", type: "video/mp4", data };
};

/** The hour of the last moment that is shown, in UTC. */
function hourOf(message: APIMessage): number {
  const seconds = [...textOf(message).matchAll(/<t:(\d+):[fF]>/gu)].at(-1)?.[1];
  return new Date(Number(seconds) * 1000).getUTCHours();
}

const unset = "The time was read in UTC, because this server has no time zone set.";

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
        const form = asForm(await as("owner").command("videos upload", { video: film() }));
        return asMessage(await as("owner").submit(form, { publish: "tomorrow 18:00" }));
      },
    ],
    [
      "an edit's form",
      async () => {
        const form = asForm(await as("owner").command("videos edit", { video }));
        return asMessage(await as("owner").submit(form, { publish: "in 4 days 18:00" }));
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
    const form = asForm(await as("owner").click(before, "Set time zone"));
    const saved = asMessage(await as("owner").submit(form, { zone: "Tokyo" }));
    const after = await run("videos edit", { video, publish: "tomorrow 18:00" });
    const region = await run("connect region", {});

    expect(hourOf(before)).toBe(17);
    expect(textOf(saved)).toContain("Asia/Tokyo");
    expect(hourOf(after)).toBe(9);
    expect(textOf(after)).toContain("The time was read in Asia/Tokyo.");
    expect(hasButton(after, "Set time zone")).toBe(false);
    expect(textOf(region)).toContain("Asia/Tokyo");
  });

  it("is read anew when the upload's form is sent once more", async () => {
    const form = asForm(await as("owner").command("videos upload", { video: film() }));
    const first = asMessage(await as("owner").submit(form, { publish: "tomorrow 18:00" }));
    const zoneForm = asForm(await as("owner").click(first, "Set time zone"));
    await as("owner").submit(zoneForm, { zone: "Asia/Tokyo" });
    const again = asForm(await as("owner").click(first, "Change details"));
    const second = asMessage(await as("owner").submit(again, {}));

    expect([hourOf(first), hourOf(second)]).toEqual([18, 9]);
    expect(textOf(second)).toContain("The time was read in Asia/Tokyo.");
  });

  it("names who can set the zone to those who may not", async () => {
    const answer = await run("search", { query: "light", after: "yesterday 18:00" }, "member");

    expect(textOf(answer)).toMatch(/Someone with Manage Server can set it: .*connect region/u);
    expect(hasButton(answer, "Set time zone")).toBe(false);
  });

  it("is not mentioned where none was typed", async () => {
    const answer = await run("search", { query: "light" });

    expect(textOf(answer)).not.toContain("The time was read");
  });

  it("says which zones there are not, and gives the form back", async () => {
    const before = await run("videos edit", { video, publish: "tomorrow 18:00" });
    const form = asForm(await as("owner").click(before, "Set time zone"));
    const refusal = asMessage(await as("owner").submit(form, { zone: "Atlantis" }));

    expect(textOf(refusal)).toContain("There is no time zone “Atlantis”");
    expect(hasButton(refusal, "Back to the form")).toBe(true);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { OptionInput } from "../../../src/sandbox/types.ts";
import { readMessages } from "../../support/message-files.ts";
import {
  asForm,
  asMessage,
  isEphemeral,
  offered,
  openStage,
  type Stage,
  textOf,
} from "../../support/stage.ts";

let stage: Stage;
let video: string;
let playlist: string;
beforeAll(async () => {
  stage = await openStage();
  [video = "", playlist = ""] = await Promise.all([
    first("videos show", "video"),
    first("playlists edit", "playlist"),
  ]);
});
afterAll(() => stage.close());
afterEach(() => stage.sandbox.video.faults.clear());

const owner = () => stage.sandbox.user("owner");

async function first(path: string, option: string): Promise<string> {
  const [choice] = await offered(owner(), path, option, "");
  return String(choice?.value);
}

async function ownComment(): Promise<string> {
  const posted = asMessage(await owner().command("comments post", { video, text: "Mine" }));
  const [, id = ""] = /[?&]lc=([\w.-]+)/u.exec(JSON.stringify(posted)) ?? [];
  return id;
}

/** The options that open the form, for every command whose description promises one. */
const commands: Readonly<Record<string, () => Promise<Readonly<Record<string, OptionInput>>>>> = {
  "comments edit": async () => ({ comment: await ownComment() }),
  "comments post": async () => ({ video }),
  "comments reply": async () => ({ comment: await ownComment() }),
  "playlists edit": async () => ({ playlist }),
  "rules add": async () => ({ kind: "words", name: "Spam", does: "hold" }),
  "videos edit": async () => ({ video }),
  "videos upload": async () => ({}),
};

describe("a command whose description promises a form", () => {
  it("is listed here", () => {
    const paths = [...readMessages("en-US")].flatMap(([key, message]) => {
      const [, name, sub] =
        /^([\w-]+)\.command\.([\w-]+)\.(?:options\..*)?description$/u.exec(key) ?? [];
      return name !== undefined && /\bform\b/u.test(message) ? [`${name} ${sub}`] : [];
    });

    expect([...new Set(paths)].sort()).toEqual(Object.keys(commands));
  });

  it.each(Object.entries(commands))("opens it: %s", async (path, options) => {
    const form = asForm(await owner().command(path, await options()));

    expect(form.components.length).toBeGreaterThan(0);
  });
});

describe("a form that is filled with what is there", () => {
  it("comes as a button where the service takes its time", async () => {
    stage.sandbox.video.faults.add({ kind: "delay", delayMs: 1900, path: /\/videos/u });

    const card = asMessage(await owner().command("videos edit", { video }));
    const form = asForm(await owner().click(card, "Open the form"));

    expect(isEphemeral(card)).toBe(true);
    expect(form.title).toBe("Edit the video");
  });

  it("is not opened where there is nothing to edit", async () => {
    const refusal = asMessage(await owner().command("videos edit", { video: "aaaaaaaaaaa" }));

    expect(textOf(refusal)).toContain("Video not found");
  });

  it("is not opened where the service fails", async () => {
    stage.sandbox.video.faults.add({ kind: "answer", status: 400, path: /\/videos/u });

    const failure = asMessage(await owner().command("videos edit", { video }));

    expect(isEphemeral(failure)).toBe(true);
    expect(textOf(failure)).toMatch(/Reference \w+/u);
  });

  it("is not for everybody", async () => {
    const answer = await stage.sandbox.user("moderator").command("videos edit", { video });

    expect(textOf(asMessage(answer))).toContain("You don’t have permission for this");
  });

  it("keeps to Discord's specification in all of this", async () => {
    expect(await stage.violations()).toEqual([]);
  });
});

import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  asForm,
  asMessage,
  isEphemeral,
  offered,
  openStage,
  type Stage,
  textOf,
} from "../../support/stage.ts";
import { words } from "../../support/words.ts";

describe("a form whose submission fails", () => {
  let stage: Stage;
  let video: string;
  const back = words().say("common.back_to_form");

  beforeAll(async () => {
    stage = await openStage();
    const [first] = await offered(stage.sandbox.user("owner"), "comments post", "video", "");
    video = String(first?.value);
  });
  afterAll(async () => {
    expect(await stage.violations()).toEqual([]);
    await stage.close();
  });

  const owner = () => stage.sandbox.user("owner");
  const text = "A long answer that took ten minutes to write. 🎬";

  /** Submits the form of `/comments post` while YouTube refuses comments. */
  async function refused(): Promise<APIMessage> {
    const form = asForm(await owner().command("comments post", { video }));
    stage.sandbox.video.faults.add({ kind: "answer", status: 403, path: /commentThreads/u });
    const message = asMessage(await owner().submit(form, { text }));
    stage.sandbox.video.faults.clear();
    return message;
  }

  it("comes back with what was typed, and goes through then", async () => {
    const message = await refused();

    const again = asForm(await owner().click(message, back));
    const posted = asMessage(await owner().submit(again, {}));

    expect(isEphemeral(message)).toBe(true);
    expect(JSON.stringify(again.components)).toContain(text);
    expect(textOf(posted)).toContain("A long answer that took ten minutes to write.");
  });

  it("is not stored when it contains a key", async () => {
    const form = asForm(await owner().command("connect key"));

    const message = asMessage(await owner().submit(form, { key: "no-such-key-at-all" }));

    const empty = asForm(await owner().click(message, back));

    expect(JSON.stringify(empty)).not.toContain("no-such-key-at-all");
  });
});

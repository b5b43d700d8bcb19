import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seed, seeded } from "../support/random.ts";
import { asMessage, isEphemeral, openStage, type Stage, textOf } from "../support/stage.ts";

const count = 100;
const atOnce = 10;

describe(`${count} interactions while a fifth of the platform's answers are 503 and a tenth are cut (seed ${seed})`, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ random: seeded(seed) });
    const { faults } = stage.sandbox.platform;
    faults.add({ kind: "answer", status: 503, rate: 0.2 });
    faults.add({ kind: "cut-before", rate: 0.0625 });
    faults.add({ kind: "cut-after", rate: 0.0667 });
  });
  afterAll(() => stage.close());

  /** Ten loops of one member, each of which repeats the command as soon as it is answered. */
  async function all(video: string) {
    const member = stage.sandbox.user("member");
    const answers: APIMessage[] = [];
    const askOften = async () => {
      for (let asked = 0; asked < count / atOnce; asked += 1)
        answers.push(asMessage(await member.command("videos show", { video })));
    };
    await Promise.all(Array.from({ length: atOnce }, askOften));
    return answers;
  }

  const late = () => stage.logged.filter((line) => line.includes("not acknowledged"));

  it("are all acknowledged and all answered", async () => {
    const answers = await all("aaaaaaaaaaa");

    expect(answers.filter((one) => !textOf(one).includes("Video not found"))).toEqual([]);
    expect(late()).toEqual([]);
  });

  it("are all answered in private when the service refuses them", async () => {
    stage.sandbox.video.faults.add({ kind: "answer", status: 403 });

    const answers = await all("bbbbbbbbbbb");

    expect(
      answers.filter((one) => !isEphemeral(one) || !textOf(one).includes("Reference")),
    ).toEqual([]);
    expect(late()).toEqual([]);
  });
});
